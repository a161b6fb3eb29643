/** Files in encodings other than UTF-8. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, importFile, importPeople } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('text in', () => {
  const rows = ['name,email,company', 'Jürgen Müller,a@,Größe GmbH', 'Bob,b@,Acme'];
  const inLatin1 = Buffer.from(csv(...rows), 'latin1');

  it('windows-1252 is read, with a warning', async () => {
    const { done, leads } = await importPeople(
      app,
      client,
      Buffer.from(inLatin1.toString('latin1').replace('Acme', '\x80\x93'), 'latin1'),
    );
    expect(leads).toEqual({
      a: { name: 'Jürgen Müller', company: 'Größe GmbH' },
      b: { name: 'Bob', company: '€“' },
    });
    expect(done).toMatchObject({ charset: 'windows-1252', warnings: [{ code: 'encoding', row: 2 }] });
  });

  it.each<[string, string]>([
    ['a cell with line breaks', `"${'a'.repeat(1_000)}\nb",a@,x`],
    ['a long line', `Ada,a@,${'x'.repeat(40_000)}`],
  ])('windows-1252 is noticed in the right row, after %s', async (_what, row) => {
    const file = csv('name,email,company', row, 'Bob,b@,Acme', 'Jürgen,c@,Acme');
    const { done } = await importPeople(app, client, Buffer.from(file, 'latin1'));
    expect(done).toMatchObject({ charset: 'windows-1252', warnings: [{ code: 'encoding', row: 4 }] });
  });

  it('UTF-8 with some lines in windows-1252 is read, with a warning', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `Größe ${index},c${index}@,x\n`).join('');
    const { done, leads } = await importPeople(
      app,
      client,
      Buffer.concat([
        Buffer.from(csv('name,email,company', 'Größe,c@,x')),
        inLatin1.subarray(19),
        Buffer.from(lines),
      ]),
    );
    expect(done.counts).toMatchObject({ created: 53, failed: 0 });
    expect(leads.a).toEqual({ name: 'Jürgen Müller', company: 'Größe GmbH' });
    expect(done).toMatchObject({ charset: 'utf-8', warnings: [{ code: 'encoding', row: 3 }] });
  });
});

describe('the charset', () => {
  const send = (file: Buffer, query: string, type = 'text/csv') =>
    client.post(`/imports?resource=leads&start=false${query}`).set('Content-Type', type).send(file);
  // 山田太郎 and 表示, whose second byte is a backslash, in Shift JIS.
  const japanese = Buffer.concat([
    Buffer.from('name,email,company\n'),
    Buffer.from('8e52936391be9859', 'hex'),
    Buffer.from(',a@example.com,"'),
    Buffer.from('955c8ea6', 'hex'),
    Buffer.from('"\n'),
  ]);
  const mac = Buffer.from('Name;E-Mail\rJ\x9frgen;a@example.com\r', 'latin1');

  it.each<[string, Buffer, string, string | undefined, object]>([
    ['the query', mac, '&charset=macintosh', undefined, { charset: 'macintosh', warnings: [] }],
    ['the query, by another name', mac, '&charset=Mac-Roman', undefined, { charset: 'macintosh' }],
    [
      'the query, for Japanese',
      japanese,
      '&charset=Shift_JIS',
      undefined,
      { charset: 'shift_jis', warnings: [] },
    ],
    ['Content-Type', mac, '', 'text/csv; charset=macintosh', { charset: 'macintosh' }],
    ['both', mac, '&charset=macintosh', 'text/csv; charset=utf-8', { charset: 'macintosh' }],
    ['neither, or wrongly', mac, '', 'text/csv; charset=utf-8', { charset: 'windows-1252' }],
    [
      'a byte order mark rather than the query',
      Buffer.from('\ufeffname,email\nAda,a@example.com\n', 'utf16le'),
      '&charset=windows-1252',
      undefined,
      { charset: 'utf-16le', columns: ['name', 'email'] },
    ],
    [
      'the query, but not for some bytes',
      Buffer.from('name,email\n\x82,a@example.com\n', 'latin1'),
      '&charset=shift_jis',
      undefined,
      { charset: 'shift_jis', warnings: [{ code: 'encoding', row: null }] },
    ],
  ])('can be named by %s', async (_, file, query, type, expected) => {
    const { body } = await send(file, query, type).expect(202);
    expect(body.data).toMatchObject(expected);
  });

  it.each<[string, Buffer, string]>([
    ['macintosh', mac, 'Jürgen'],
    ['shift_jis', japanese, '山田太郎'],
  ])('%s decides about letters', async (charset, file, name) => {
    await app.production.knex('leads').where({ email: 'a@example.com' }).delete();
    const done = await importFile(app, client, file, `charset=${charset}`);
    expect(done.counts).toMatchObject({ created: 1, failed: 0 });
    const { body } = await client.get('/leads?email=a@example.com').expect(200);
    expect(body.data[0].name).toBe(name);
    if (charset === 'shift_jis') expect(body.data[0].company).toBe('表示');
  });

  it('must be known', async () => {
    const { body } = await send(mac, '&charset=klingon').expect(422);
    expect(body.errors.charset[0]).toMatch(/must be the name of an encoding/);
  });
});
