/** Which files can be read, and why others are rejected. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, errorsOf, importFile, leftovers, ndjson, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { zip } from '../../support/workbooks.ts';

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

  it.each<[string, string | Buffer, string, string | RegExp]>([
    ['is empty', '', 'file', 'The file has no rows.'],
    ['has only a header', csv('name,email'), 'file', 'The file has no rows.'],
    ['has only rows with too many cells', csv('name,email', 'a,b,c'), 'rows.2', /has 3 cells/],
    ['has only a row that never ends', `"${'x'.repeat(1_000_000)}`, 'rows.1', /longer than 256 KiB/],
    ['has no JSON object', '{"name":\n[1]\n', 'rows.1', 'Row 1 is not valid JSON.'],
    [
      'is binary',
      Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 251)),
      'file',
      /not a text file/,
    ],
    ['is a damaged workbook', Buffer.from('PK\u0003\u0004xxxx'), 'file', /damaged workbook/],
    ['is an old workbook', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'file', /\.xls/],
    ['is a PDF', '%PDF-1.7\n', 'file', /a PDF/],
    ['is a web page', '<!DOCTYPE html><table></table>', 'file', /web page/],
    ['is compressed in another way', Buffer.from('BZh91AY&SY'), 'file', /is compressed/],
    ['is compressed twice', gzipSync(gzipSync('name,email')), 'file', /compressed twice/],
    ['is a damaged .gz', gzipSync('name,email\n'.repeat(999)).subarray(0, 30), 'file', /damaged gzip/],
  ])('that %s is rejected', async (_, given, place, message) => {
    const { body } = await upload(client, given).expect(422);
    expect(body.code).toBe('invalid_file');
    expect(Object.keys(body.errors)[0]).toEqual(place);
    if (typeof message === 'string') expect(body.errors[place]).toEqual([message]);
    else expect(body.errors[place][0]).toMatch(message);
    expect(await leftovers(app)).toEqual([]);
  });

  it('that is rejected tells the first faults, in their order', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `a,b${',c'.repeat(index + 1)}`);
    const { body } = await upload(client, csv('name,email', ...rows)).expect(422);
    expect(body.message).toBe('Row 2 has 3 cells, but the file has 2 columns.');
    expect(Object.keys(body.errors)).toHaveLength(20);
    expect(Object.keys(body.errors).slice(0, 2)).toEqual(['rows.2', 'rows.3']);
  });

  it('may be compressed', async () => {
    const email = `${randomUUID()}@example.com`;
    const { counts } = await importFile(app, client, gzipSync(plain(email)));
    expect(counts.created).toBe(1);
  });

  it('may be the only one in a ZIP file', async () => {
    const email = `${randomUUID()}@example.com`;
    const packed = zip({ 'leads.csv': plain(email), '__MACOSX/._leads.csv': 'x' });
    expect(await importFile(app, client, packed)).toMatchObject({ format: 'csv', counts: { created: 1 } });
  });

  it.each<[string, Record<string, Buffer>, RegExp]>([
    ['several files', { 'a.csv': Buffer.from('name'), 'b.csv': Buffer.from('name') }, /is a ZIP file/],
    ['a ZIP file', { 'a.csv': zip({ 'a.csv': 'name' }) }, /ZIP file within a ZIP file/],
    ['a file of 300 MiB', { 'a.csv': Buffer.alloc(300 * 2 ** 20, 'x') }, /200 MiB/],
  ])('may not be a ZIP file with %s', async (_, files, message) => {
    const { body } = await upload(client, zip(files));
    expect(body.message).toMatch(message);
  });

  it('may not be larger than 200 MiB once it is unpacked', async () => {
    const { body } = await upload(client, gzipSync(Buffer.alloc(201 * 2 ** 20, 'x'))).expect(413);
    expect(body.message).toBe('The unpacked file must not be larger than 200 MiB.');
    expect(await leftovers(app)).toEqual([]);
  });

  it.each<[string, (email: string) => string | Buffer]>([
    ['a list of objects', (email) => JSON.stringify([{ name: 'Ü', email, company }])],
    ['a list over several lines', (email) => JSON.stringify([{ name: 'Ü', email, company }], null, 2)],
    ['an object over several lines', (email) => JSON.stringify({ name: 'Ü', email, company }, null, 2)],
    ['text/csv in fact', (email) => ndjson({ name: 'Ü', email, company })],
  ])('of JSON that is %s is read', async (_, file) => {
    const email = `${randomUUID()}@example.com`;
    const request = upload(client, file(email)).set('Content-Type', 'text/csv');
    expect((await request.expect(202)).body.data).toMatchObject({ format: 'ndjson', rows_total: 1 });
    await runJobs(app.production);
    const { body } = await client.get(`/leads?email=${email}`).expect(200);
    expect(body.data).toMatchObject([{ name: 'Ü', company }]);
  });
});

describe('a row that', () => {
  const one = () => `Ada,${randomUUID()}@example.com`;
  const json = (name: string) => `{"name":"${name}","email":"${randomUUID()}@example.com"}`;
  const deep = `{"name":${'['.repeat(10)}${']'.repeat(10)}}`;

  it.each<[string, () => string | Buffer, number, string]>([
    [
      'has too many cells',
      () => csv('name,email', one(), `${one()},c`, one()),
      3,
      'has 3 cells, but the file has 2 columns',
    ],
    [
      'has a quote that is never closed',
      () => csv('name,email', one(), `"${one()}`, one()),
      3,
      'has a quote that is never closed',
    ],
    [
      'has a quote that only a later row closes',
      () => csv('name,email', one(), `"${one()}`, `"Bob" ${one()}`),
      3,
      'has a quote that is never closed',
    ],
    [
      'has a quote that is never closed in the last line',
      () => csv('name,email', one(), one(), `"${one()}`).trim(),
      4,
      'has a quote that is never closed',
    ],
    [
      'has an open quote before more than 256 KiB',
      () => csv('name,email', one(), `"${one()}`, `${`${'x'.repeat(1_000)}\n`.repeat(300)}${one()}`),
      3,
      'has a quote that is never closed',
    ],
    [
      'is too long',
      () => csv('name,email', one(), `${'x'.repeat(3_000_000)},b`, one()),
      3,
      'is longer than 256 KiB',
    ],
    [
      'has a NUL',
      () => csv('name,email', one(), `\u0000${one()}`, one()),
      3,
      'contains a NUL character; the file must be plain text',
    ],
    ['is not valid JSON', () => csv(json('a'), '{"name":', json('b')), 2, 'is not valid JSON'],
    ['is no JSON object', () => csv(json('a'), '[1]', json('b')), 2, 'must be a JSON object'],
    ['is nested too deeply', () => csv(json('a'), deep, json('b')), 2, 'is nested deeper than 10 levels'],
    [
      'is too long in JSON',
      () => csv(json('a'), json('x'.repeat(1_000_000)), json('b')),
      2,
      'is longer than 256 KiB',
    ],
    [
      'is not valid in a JSON list',
      () => `[${json('a')}, {"name": nobody}, ${json('b')}]`,
      2,
      'is not valid JSON',
    ],
    [
      'is too long in a JSON list',
      () => `[${json('a')}, ${json('x'.repeat(1_000_000))}, ${json('b')}]`,
      2,
      'is longer than 256 KiB',
    ],
  ])('%s fails alone', async (_, file, row, message) => {
    const done = await importFile(app, client, file(), 'start=true');
    const errors = await errorsOf(client, done.id);
    expect(errors.find((error) => error.row === row)).toMatchObject({
      code: 'invalid_file',
      message: `Row ${row} ${message}.`,
    });
    expect(done.counts.created).toBeGreaterThanOrEqual(2 - Number(/later|last/.test(_)));
    const others = errors.filter((error) => error.row !== row);
    expect(others.filter(({ code }) => code === 'invalid_file')).toEqual([]);
  });
});
