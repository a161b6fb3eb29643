import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob, readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { insertLeads } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function makeJob(rows: number) {
  const tag = randomUUID();
  await insertLeads(
    app.production.knex,
    Array.from({ length: rows }, () => ({ tags: [tag] })),
  );
  const job = { resource: 'leads', filter: { tag: [tag] }, action: { update: { status: 'contacted' } } };
  return { tag, ...(await createJob(client, job)) };
}

describe('POST /bulk-jobs/{id}/cancel', () => {
  it('stops a running job, and what it has changed remains', async () => {
    const { id, tag } = await makeJob(600);
    await runOnce(app.production);
    const { body } = await client.post(`/bulk-jobs/${id}/cancel`).expect(200);
    expect(body.data).toMatchObject({ status: 'cancelled', rows_done: 500, finished_at: expect.any(String) });
    await runJobs(app.production);
    expect(await readJob(client, id)).toEqual(body.data);
    const { body: left } = await client.get(`/leads?tag=${tag}&status=new`).expect(200);
    expect(left.meta.total).toBe(100);
    expect((await client.post(`/bulk-jobs/${id}/cancel`).expect(200)).body).toEqual(body);
    expect(await app.production.knex('bulk_job_chunks').select()).toEqual([]);
  });

  it('cancels a queued job, if it has the expected version', async () => {
    const { id } = await makeJob(1);
    await client.with({ 'If-Match': '"2"' }).post(`/bulk-jobs/${id}/cancel`).expect(412);
    await client.with({ 'Dry-Run': 'true' }).post(`/bulk-jobs/${id}/cancel`).expect(200);
    expect((await readJob(client, id)).status).toBe('queued');
    await client.with({ 'If-Match': '"1"' }).post(`/bulk-jobs/${id}/cancel`).expect(200);
    await runJobs(app.production);
    expect(await readJob(client, id)).toMatchObject({ status: 'cancelled', rows_done: 0 });
  });

  it('rejects a job that has ended', async () => {
    const { id } = await makeJob(1);
    await runJobs(app.production);
    const { body } = await client.post(`/bulk-jobs/${id}/cancel`).expect(409);
    expect(body).toMatchObject({
      code: 'wrong_job_status',
      message: "This job can't be cancelled: it has already completed.",
    });
  });

  it('needs the scope to write', async () => {
    const { id } = await makeJob(1);
    await (await app.client(['leads:read'])).post(`/bulk-jobs/${id}/cancel`).expect(403);
    await (await app.client(['leads:read', 'contacts:write'])).post(`/bulk-jobs/${id}/cancel`).expect(403);
  });
});
