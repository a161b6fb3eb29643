import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { csv, importFile, readImport, send } from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const fileOf = (rows: number) =>
  csv('name,email', ...Array.from({ length: rows }, () => `Ada,${uniqueEmail()}`));

async function countOf(table: string): Promise<number> {
  const [{ count }] = (await app.production.knex(table).count()) as [{ count: string }];
  return Number(count);
}

describe('POST /imports/{id}/cancel', () => {
  it.each(['start=false', ''])('deletes the rows of an import that has not started: %j', async (query) => {
    const { id } = await send(client, fileOf(2), query);
    const before = await countOf('leads');
    const { body, headers } = await client.post(`/imports/${id}/cancel`).expect(200);
    expect(body.data).toMatchObject({ status: 'cancelled', finished_at: expect.any(String), version: 2 });
    expect(headers.etag).toBe('"2"');
    expect(await countOf('import_chunks')).toBe(0);
    await runJobs(app.production);
    expect(await countOf('leads')).toBe(before);
    expect((await client.post(`/imports/${id}/cancel`).expect(200)).body).toEqual(body);
    await client.post(`/imports/${id}/start`).expect(409);
  });

  it('stops a running import; the imported rows stay', async () => {
    const { id } = await send(client, fileOf(2_500));
    await runOnce(app.production);
    const before = await countOf('leads');
    const running = await readImport(client, id);
    expect(running).toMatchObject({ status: 'running', rows_done: 250, finished_at: null });
    await client.post(`/imports/${id}/cancel`).expect(200);
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({ status: 'cancelled', rows_done: 250 });
    expect(await countOf('leads')).toBe(before);
    expect(await countOf('import_chunks')).toBe(0);
  });

  it('rejects a completed import', async () => {
    const { id } = await importFile(app, client, fileOf(1));
    const { body } = await client.post(`/imports/${id}/cancel`).expect(409);
    expect(body.code).toBe('wrong_import_status');
  });

  it('checks If-Match and the scope', async () => {
    const { id } = await send(client, fileOf(1), 'resource=contacts&start=false');
    await client.with({ 'If-Match': '"2"' }).post(`/imports/${id}/cancel`).expect(412);
    await (await app.client(['leads:write'])).post(`/imports/${id}/cancel`).expect(403);
    await client.with({ 'If-Match': '"1"', 'Dry-Run': 'true' }).post(`/imports/${id}/cancel`).expect(200);
    expect(await readImport(client, id)).toMatchObject({ status: 'draft' });
  });
});
