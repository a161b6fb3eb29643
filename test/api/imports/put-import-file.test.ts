/** A draft from options in JSON, and the file that it waits for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  csv,
  type Import,
  leftovers,
  ndjson,
  readImport,
  runImports,
  runOnce,
  send,
} from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function draft(options: object = {}): Promise<Import> {
  const { body } = await client.post('/imports', { resource: 'leads', ...options }).expect(202);
  return body.data;
}

function put(id: string, file: string, query = '', by = client) {
  const type = file.startsWith('{') ? 'application/x-ndjson' : 'text/csv';
  return by.put(`/imports/${id}/file${query}`).set('Content-Type', type).send(file);
}

const file = (email: string, ...more: string[]) => csv('name,email,plan', `Ada,${email},gold`, ...more);

describe('PUT /imports/{id}/file', () => {
  it('starts the import as the options say', async () => {
    const { id } = await draft({ mapping: { plan: 'metadata.plan' }, defaults: { source: 'referral' } });
    const { body } = await put(id, file('put@example.com')).expect(202);
    expect(body.data).toMatchObject({
      id,
      status: 'queued',
      format: 'csv',
      rows_total: 1,
      doubts: [],
      mapping: { name: 'name', email: 'email', plan: 'metadata.plan' },
    });
    await runImports(app.production);
    const { body: found } = await client.get('/leads?email=put@example.com').expect(200);
    expect(found.data).toMatchObject([{ source: 'referral', metadata: { plan: 'gold' } }]);
  });

  it('replaces an earlier file, and maps its columns again', async () => {
    const { id } = await draft({ start: false, mapping: { plan: 'metadata.plan' } });
    const first = await put(id, file('first@example.com', 'Eve,eve@example.com,x')).expect(202);
    expect(first.body.data).toMatchObject({ status: 'draft', rows_total: 2 });
    const { body } = await put(id, ndjson({ name: 'Bob', email: 'second@example.com', plan: 'free' })).expect(
      202,
    );
    expect(body.data).toMatchObject({ status: 'draft', rows_total: 1, format: 'ndjson' });
    await client.post(`/imports/${id}/start`, {}).expect(202);
    await runImports(app.production);
    expect(await readImport(client, id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
    const { body: found } = await client.get('/leads?email=first@example.com').expect(200);
    expect(found.data).toEqual([]);
    expect(await leftovers(app)).toEqual([]);
  });

  it('replaces the file of a draft with a wrong column, and of a completed dry run', async () => {
    const { id } = await send(client, csv('name,email', 'Ada,nobody'), 'mode=try');
    await runImports(app.production);
    expect(await readImport(client, id)).toMatchObject({ counts: { failed: 1 } });
    await put(id, csv('name,email', 'Ada,corrected@example.com')).expect(202);
    await runImports(app.production);
    expect(await readImport(client, id)).toMatchObject({ dry_run: true, counts: { created: 1, failed: 0 } });
    expect((await client.get(`/imports/${id}/errors`)).body.data).toEqual([]);
  });

  it('can be repeated, while the import runs and afterwards, but not with another file', async () => {
    const { id } = await draft();
    const lines = Array.from({ length: 300 }, (_, index) => `Ada,repeat${index}@example.com,`);
    const whole = file('repeat@example.com', ...lines);
    await put(id, whole).expect(202);
    await runOnce(app.production);
    expect((await put(id, whole).expect(202)).body.data).toMatchObject({ status: 'running', rows_done: 250 });
    const { body } = await put(id, file('other@example.com')).expect(422);
    expect(body).toMatchObject({ code: 'wrong_import_status', errors: { id: [expect.any(String)] } });
    await runImports(app.production);
    expect((await put(id, whole).expect(202)).body.data).toMatchObject({ status: 'completed' });
    expect(await readImport(client, id)).toMatchObject({ rows_done: 301, counts: { created: 301 } });
    expect(await leftovers(app)).toEqual([]);
  });

  it('reads the file in the charset of the parameter, the options or the Content-Type', async () => {
    const bytes = (email: string) => Buffer.from(`name,email\nJ\xfcrgen,${email}\n`, 'latin1');
    const { id } = await draft({ charset: 'latin1' });
    await client
      .put(`/imports/${id}/file`)
      .set('Content-Type', 'text/csv')
      .send(bytes('a.latin@example.com'))
      .expect(202);
    const other = await draft({ charset: 'utf-8' });
    const { body } = await client
      .put(`/imports/${other.id}/file?charset=iso-8859-1`)
      .set('Content-Type', 'text/csv; charset=koi8-r')
      .send(bytes('b.latin@example.com'))
      .expect(202);
    expect(body.data).toMatchObject({ charset: 'windows-1252', warnings: [] });
    await client
      .post('/imports?resource=leads')
      .set('Content-Type', 'text/csv; charset=ISO-8859-1')
      .send(bytes('c.latin@example.com'))
      .expect(202);
    await runImports(app.production);
    for (const name of ['a', 'b', 'c']) {
      const { body: found } = await client.get(`/leads?email=${name}.latin@example.com`).expect(200);
      expect(found.data).toMatchObject([{ name: 'Jürgen' }]);
    }
  });

  it('keeps one of two files that come at the same time', async () => {
    const { id } = await draft({ start: false });
    const other = await app.client();
    const answers = await Promise.all([
      put(id, file('one@example.com')),
      put(id, file('two@example.com', 'Eve,three@example.com,'), '', other),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const { rows_total } = await readImport(client, id);
    const chunks = await app.production
      .knex('import_chunks')
      .whereRaw('rows like ?', ['%example.com%'])
      .pluck('rows');
    const mine = chunks.filter((rows: string) => /one@|two@/.test(rows));
    expect(mine.map((rows: string) => JSON.parse(rows).length)).toEqual([rows_total]);
    expect(await leftovers(app)).toEqual([]);
  });

  it('keeps the earlier file if the new one is unreadable, or in a dry run', async () => {
    const { id } = await draft({ start: false });
    await put(id, file('kept@example.com')).expect(202);
    await put(id, 'name,email\n').expect(422);
    const before = await readImport(client, id);
    await put(id, file('dry@example.com', 'Eve,e@example.com,')).set('Dry-Run', 'true').expect(202);
    expect(await readImport(client, id)).toEqual(before);
    await client.post(`/imports/${id}/start`, {}).expect(202);
    await runImports(app.production);
    expect(await readImport(client, id)).toMatchObject({ counts: { created: 1 } });
  });

  it('imports the rows in the name of the client that sends them, which needs the scope', async () => {
    const { id } = await draft();
    const reader = await app.client(['read']);
    await put(id, file('reader@example.com'), '', reader).expect(403);
    const other = await app.client(['write', 'read', 'events:read']);
    await put(id, file('by-other@example.com'), '', other).expect(202);
    await runImports(app.production);
    const { body } = await client.get('/leads?email=by-other@example.com').expect(200);
    const { body: history } = await client.get(`/leads/${body.data[0].id}/events`).expect(200);
    const { body: me } = await other.get('/auth/me').expect(200);
    expect(history.data[0].actor).toMatchObject({ type: 'client', id: me.data.client_id ?? me.data.id });
  });

  it('answers 404 to an unknown import, and 400 to an unknown parameter', async () => {
    await put('import_01m7w4n5e0fpd8q2tn6s3k9vcx', file('x@example.com')).expect(404);
    const { id } = await draft();
    await put(id, file('x@example.com'), '?colour=red').expect(400);
  });
});
