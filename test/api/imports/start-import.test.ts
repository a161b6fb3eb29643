import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { csv, errorsOf, importFile, readImport, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const file = () => csv('Who,email', `Ada,${uniqueEmail()}`);

describe('POST /imports/{id}/start', () => {
  it('starts a draft with the requested options', async () => {
    const { id } = await send(client, file(), 'start=false');
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({
      status: 'draft',
      mapping: { Who: null },
      version: 1,
    });
    await client.patch(`/imports/${id}`, { mapping: { Who: 'name' } }).expect(200);
    const options = { on_duplicate: 'ignore', match: 'email' };
    const { body, headers } = await client.post(`/imports/${id}/start`, options).expect(202);
    expect(body.data).toMatchObject({ ...options, status: 'queued', version: 3 });
    expect(headers.etag).toBe('"3"');
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  });

  it('imports the rows of a dry run without another upload', async () => {
    const tried = await importFile(app, client, file(), 'dry_run=true');
    expect(tried).toMatchObject({ status: 'completed', dry_run: true, counts: { created: 0, failed: 1 } });
    expect(await errorsOf(client, tried.id)).toMatchObject([{ row: 2, field: 'name' }]);
    await client.patch(`/imports/${tried.id}`, { mapping: { Who: 'name' } }).expect(200);
    await client.post(`/imports/${tried.id}/start`, { dry_run: true }).expect(202);
    await runJobs(app.production);
    expect(await readImport(client, tried.id)).toMatchObject({
      dry_run: true,
      counts: { created: 1, failed: 0 },
    });
    expect(await errorsOf(client, tried.id)).toEqual([]);
    await client.post(`/imports/${tried.id}/start`).expect(202);
    await runJobs(app.production);
    expect(await readImport(client, tried.id)).toMatchObject({
      dry_run: false,
      counts: { created: 1, failed: 0 },
    });
    const { body } = await client.post(`/imports/${tried.id}/start`).expect(409);
    expect(body).toMatchObject({ code: 'wrong_import_status', errors: { id: [expect.any(String)] } });
  });

  it('changes nothing with Dry-Run, and starts once per Idempotency-Key', async () => {
    const { id } = await send(client, file(), 'start=false');
    const start = (headers: Record<string, string>) => client.with(headers).post(`/imports/${id}/start`);
    const { body } = await start({ 'Dry-Run': 'true' }).expect(202);
    expect(body.data.status).toBe('queued');
    expect(await readImport(client, id)).toMatchObject({ status: 'draft', version: 1 });
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await start(key).expect(202);
    const second = await start(key).expect(202).expect('Idempotency-Replayed', 'true');
    expect(second.body).toEqual(first.body);
    await runJobs(app.production);
  });

  it('starts the version that If-Match names', async () => {
    const { id } = await send(client, file(), 'start=false');
    await client.patch(`/imports/${id}`, { mapping: { Who: 'name' } }).expect(200);
    const start = (version: number) => client.post(`/imports/${id}/start`).set('If-Match', `"${version}"`);
    expect((await start(1).expect(412)).body.code).toBe('version_mismatch');
    expect(await readImport(client, id)).toMatchObject({ status: 'draft' });
    await start(2).expect(202);
    await runJobs(app.production);
  });

  it.each([
    [{ match: 'external_id', on_duplicate: 'merge' }, 'mapping'],
    [{ on_duplicate: 'replace' }, 'on_duplicate'],
    [{ start: true }, 'start'],
    [{ mapping: { Who: 'name' } }, 'mapping'],
    [{ defaults: { source: 'manual' } }, 'defaults'],
    [{ locale: 'de' }, 'locale'],
  ])('rejects %j', async (body, field) => {
    const { id } = await send(client, file(), 'start=false');
    const answer = await client.post(`/imports/${id}/start`, body).expect(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(await readImport(client, id)).toMatchObject({ status: 'draft' });
  });

  it('requires the scope of the imported resource', async () => {
    const { id } = await send(client, file(), 'start=false');
    const { body } = await (await app.client(['contacts:write'])).post(`/imports/${id}/start`).expect(403);
    expect(body.required_scope).toBe('leads:write');
    await (await app.client(['leads:write'])).post(`/imports/${id}/start`).expect(202);
  });

  it('rejects a draft whose rows have been deleted', async () => {
    const { id } = await send(client, file(), 'start=false');
    await app.production.knex('import_chunks').delete();
    const { body } = await client.post(`/imports/${id}/start`).expect(409);
    expect(body.message).toContain('have been deleted');
  });
});

describe('a dry run', () => {
  /** More rows than one transaction imports. */
  const many = Array.from({ length: 1_200 }, () => uniqueEmail());

  async function everything(): Promise<unknown> {
    const tables = ['leads', 'events', 'lead_status_changes', 'lead_counter_changes', 'webhook_deliveries'];
    return Promise.all(tables.map((table) => app.production.knex(table).count()));
  }

  it.each([
    ['reject', { created: 1_200, updated: 0, unchanged: 0, failed: 3, warned: 0 }],
    ['ignore', { created: 1_200, updated: 0, unchanged: 3, failed: 0, warned: 2 }],
    ['update', { created: 1_200, updated: 2, unchanged: 1, failed: 0, warned: 2 }],
  ])('with %s counts what the import would do, and changes nothing', async (onDuplicate, counts) => {
    const { email: existing } = await createLead(client, { name: 'Ada' });
    // The first row appears again in another transaction, and once more in that one.
    const [first = ''] = many;
    const emails = [...many, existing, first.toUpperCase(), first];
    const names = emails.map((email, index) => `${email === existing ? 'Ada' : `Name ${index}`},${email}`);
    const before = await everything();
    const tried = await importFile(
      app,
      client,
      csv('name,email', ...names),
      `dry_run=true&on_duplicate=${onDuplicate}`,
    );
    expect(tried).toMatchObject({ status: 'completed', rows_done: 1_203, counts });
    expect(await everything()).toEqual(before);
    await client.post(`/imports/${tried.id}/start`, { dry_run: true }).expect(202);
    await runJobs(app.production);
    expect(await readImport(client, tried.id)).toMatchObject({ dry_run: true, counts });
    const errors = await errorsOf(client, tried.id);
    expect(errors.map(({ row, code }) => [row, code])).toEqual(
      onDuplicate === 'reject'
        ? [1202, 1203, 1204].map((row) => [row, 'duplicate_email'])
        : [1203, 1204].map((row) => [row, 'repeated_row']),
    );
    await client.post(`/imports/${tried.id}/start`).expect(202);
    await runJobs(app.production);
    expect(await readImport(client, tried.id)).toMatchObject({ dry_run: false, counts });
    expect(await errorsOf(client, tried.id)).toEqual(errors);
    await app.production.knex('leads').whereIn('email', many).delete();
  });
});
