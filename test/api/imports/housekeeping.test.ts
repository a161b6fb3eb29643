/** How long imports and their rows are kept. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteOldChunks, deleteOldKeys } from '../../../src/imports/housekeeping-queries.ts';
import { deleteOldJobs } from '../../../src/jobs/old-jobs-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { csv, importFile, send } from '../../support/imports.ts';
import { runOnce } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(async () => {
  await app.production.knex.raw('truncate jobs, import_chunks, import_rows, import_keys cascade');
});

afterAll(() => app.close());

const file = () => csv('name,email', `Ada,${uniqueEmail()}`, 'Bob,nobody');

async function left(table: string): Promise<number> {
  const [{ count }] = (await app.production.knex(table).count()) as [{ count: string }];
  return Number(count);
}

const age = (table: string, interval: string) =>
  app.production
    .knex(table)
    .update({ created_at: app.production.knex.raw('now() - ?::interval', [interval]) });

describe('the rows of a file', () => {
  it.each([
    ['a draft', 'start=false', '6 days 23 hours', 1],
    ['a draft', 'start=false', '7 days 1 hour', 0],
    ['a queued import', '', '30 days', 1],
  ])('of %s (%s) after %s: %i left', async (_, query, interval, kept) => {
    await send(client, file(), query);
    await age('import_chunks', interval);
    expect(await deleteOldChunks(app.production.db, new Date(), 100)).toBe(1 - kept);
    expect(await left('import_chunks')).toBe(kept);
  });

  it('of a dry run are kept for a week, but not its keys', async () => {
    await importFile(app, client, file(), 'dry_run=true');
    // A key stands for the address, and one for the lead.
    expect([await left('import_chunks'), await left('import_keys')]).toEqual([1, 2]);
    await deleteOldKeys(app.production.db, 100);
    await age('import_chunks', '6 days');
    await deleteOldChunks(app.production.db, new Date(), 100);
    expect([await left('import_chunks'), await left('import_keys')]).toEqual([1, 0]);
    await age('import_chunks', '8 days');
    await deleteOldChunks(app.production.db, new Date(), 100);
    expect(await left('import_chunks')).toBe(0);
  });

  it('of an interrupted upload are deleted after an hour', async () => {
    await app.production.knex('import_chunks').insert({ import_id: randomUUID(), number: 0, rows: '[]' });
    await age('import_chunks', '50 minutes');
    expect(await deleteOldChunks(app.production.db, new Date(), 100)).toBe(0);
    await age('import_chunks', '61 minutes');
    expect(await deleteOldChunks(app.production.db, new Date(), 100)).toBe(1);
  });
});

describe('an import', () => {
  it.each([
    ['89 days', 1],
    ['91 days', 0],
  ])('after %s: %i left', async (interval, kept) => {
    const { id, rows_total: rows } = await importFile(app, client, file());
    await age('jobs', interval);
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe((1 - kept) * (1 + rows));
    expect([await left('jobs'), await left('job_errors')]).toEqual([kept, kept]);
    expect(await left('import_rows')).toBe(kept * rows);
    await client.get(`/imports/${id}`).expect(kept === 1 ? 200 : 404);
  });

  it('that is still queued is kept', async () => {
    await send(client, file());
    await age('jobs', '91 days');
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe(0);
  });
});

describe('an import whose rows can’t be imported because of an internal error', () => {
  it('fails after five attempts', async () => {
    const { id } = await send(client, file());
    await app.production.knex('import_chunks').update({ rows: 'broken' });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const { body } = await client.get(`/imports/${id}`).expect(200);
      expect(body.data.status).toBe('queued');
      await expect(runOnce(app.production)).rejects.toThrow('JSON');
    }
    const { body } = await client.get(`/imports/${id}`).expect(200);
    expect(body.data).toMatchObject({
      status: 'failed',
      rows_done: 0,
      finished_at: expect.any(String),
      failure: { code: 'internal_error', message: expect.stringMatching(/^The service failed five times/) },
    });
    expect(await left('import_chunks')).toBe(0);
    await client.post(`/imports/${id}/start`).expect(409);
  });
});
