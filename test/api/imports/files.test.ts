/** Which files can be read, and why others are rejected. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, importFile, leftovers, ndjson, upload } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const inUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a file', () => {
  const company = 'Ünal "Ü", Ltd.;x';
  const quoted = `"${company.replaceAll('"', '""')}"`;
  const plain = (email: string) => csv('name,email,company', `Ü,${email},${quoted}`);

  it.each<[string, (email: string) => string | Buffer]>([
    ['commas', plain],
    ['semicolons', (email) => csv('name;email;company', `Ü;${email};${quoted}`)],
    ['tabs', (email) => csv('name\temail\tcompany', `Ü\t${email}\t${quoted}`)],
    ['a byte order mark', (email) => `\ufeff${plain(email)}`],
    ['Windows line ends, but not at the end', (email) => plain(email).trim().replaceAll('\n', '\r\n')],
    ['carriage returns', (email) => plain(email).replaceAll('\n', '\r')],
    ['empty lines and rows', (email) => csv('', plain(email), '', ',,', ' , ,')],
    ['UTF-16', (email) => inUtf16(plain(email))],
    ['UTF-16, big endian', (email) => inUtf16(plain(email)).swap16()],
    ['UTF-16 without a byte order mark', (email) => inUtf16(plain(email)).subarray(2)],
    ['JSON', (email) => ndjson({ name: 'Ü', email, company })],
    [
      'empty lines and Windows line ends in JSON',
      (email) => `${ndjson({ name: 'Ü', email, company }).trim()}\r\n\r\n`,
    ],
  ])('with %s is read', async (_, file) => {
    const email = `${randomUUID()}@example.com`;
    const { counts } = await importFile(app, client, file(email));
    expect(counts).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 0, warned: 0 });
    const { body } = await client.get(`/leads?email=${email}`).expect(200);
    expect(body.data).toMatchObject([{ name: 'Ü', company }]);
  });

  const wide = Array.from({ length: 5_001 }, (_, index) => `c${index}`).join();
  it.each<[string, string | Buffer, string, string | RegExp]>([
    ['is empty', '', 'file', 'has no rows'],
    ['has only a header', csv('name,email'), 'file', 'has no rows'],
    [
      'has a row with too many cells',
      csv('name,email', 'a,b', 'c,d,e'),
      'rows.3',
      'has 3 cells, but the file has 2 columns',
    ],
    [
      'has a row with too few cells',
      csv('name,email', '', '"a\nb",c', 'd'),
      'rows.4',
      'has 1 cells, but the file has 2 columns',
    ],
    [
      'has a bad quote below a row with too few cells',
      csv('name,email', 'a,b', 'c', 'd,e', '"f"g,h'),
      'rows.3',
      'has 1 cells, but the file has 2 columns',
    ],
    [
      'has an open quote below a row with too many cells',
      csv('name,email', 'a,b,c', 'd,"e'),
      'rows.2',
      'has 3 cells, but the file has 2 columns',
    ],
    [
      'has a bad quote below a wrong header',
      csv('name,name', 'a,b', '"f"g,h'),
      'rows.1',
      'has two columns with the same name: name',
    ],
    [
      'has a row that is too long below a bad row',
      csv('name,email', 'a', `b,${'x'.repeat(300_000)}`),
      'rows.2',
      'has 1 cells, but the file has 2 columns',
    ],
    [
      'is in Latin-1 below a row with too few cells',
      Buffer.from('name,email\nc\nÜnal,c\n', 'latin1'),
      'rows.2',
      /1 cells/,
    ],
    ['has a NUL below a list', '{"name":"a"}\n[1]\n{"name":"\u0000"}\n', 'rows.2', 'must be a JSON object'],
    [
      'has two columns with the same name',
      csv('name,name', 'a,b'),
      'rows.1',
      'has two columns with the same name: name',
    ],
    ['has too many columns', csv(wide, wide), 'rows.1', 'has more than 5000 columns'],
    [
      'has a column name that is too long',
      csv('x'.repeat(101), 'a'),
      'rows.1',
      /does not have 1 to 100 characters/,
    ],
    ['has a quote in a quoted cell', csv('name,email', '"a"b,c'), 'rows.2', /quote inside a quoted cell/],
    ['has a quote in a cell', csv('name,email', 'a "b" c,d'), 'rows.2', /quote inside a cell/],
    [
      'has a quote that is not closed',
      csv('name,email', 'a,b', '"c,d', 'e,f'),
      'rows.3',
      'has a quote that is never closed',
    ],
    [
      'has a row that never ends',
      csv('name,email', 'a,b', `"${'x\n'.repeat(200_000)}`),
      'rows.3',
      /longer than 256 KiB/,
    ],
    [
      'has a line that never ends',
      csv('name,email', 'a,b') + 'x'.repeat(400_000),
      'rows.3',
      /longer than 256 KiB/,
    ],
    [
      'is in Latin-1',
      Buffer.concat([Buffer.from('name,email\na,b\n'), Buffer.from('Ünal,c\n', 'latin1')]),
      'rows.3',
      /is not in UTF-8/,
    ],
    [
      'is invalid UTF-16',
      Buffer.concat([inUtf16(csv('name,email', 'a,b', 'c,d')), Buffer.from([0x00, 0xd8, 0x41])]),
      'rows.4',
      /is not in UTF-16LE/,
    ],
    ['has a NUL', csv('name,email', 'a,b', 'c\u0000,d'), 'rows.3', /NUL/],
    [
      'is binary',
      Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 251)),
      'file',
      /UTF-8|NUL/,
    ],
    ['is a workbook', Buffer.from('PK\u0003\u0004xxxx'), 'file', /Excel workbook/],
    ['is compressed', gzipSync('name,email'), 'file', /compressed/],
    ['is not valid JSON', `${ndjson({ name: 'a' })}{"name":\n`, 'rows.2', 'is not valid JSON'],
    ['has a list instead of an object', `${ndjson({ name: 'a' })}\n[1]\n`, 'rows.3', 'must be a JSON object'],
    [
      'has a key with a NUL',
      ndjson({ 'a\u0000': 1 }),
      'rows.1',
      /column whose name must not contain the character NUL/,
    ],
    [
      'is nested too deeply',
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'rows.1',
      'is nested deeper than 10 levels',
    ],
    [
      'has too many keys',
      ndjson(Object.fromEntries(wide.split(',').map((key) => [key, 1]))),
      'rows.1',
      /5000 columns/,
    ],
  ])('that %s is rejected', async (_, given, place, message) => {
    const { body } = await upload(client, given).expect(422);
    expect(body.code).toBe('invalid_file');
    expect(Object.keys(body.errors)).toEqual([place]);
    if (typeof message === 'string') expect(body.errors[place]).toEqual([message]);
    else expect(body.errors[place][0]).toMatch(message);
    expect(await leftovers(app)).toEqual([]);
  });
});
