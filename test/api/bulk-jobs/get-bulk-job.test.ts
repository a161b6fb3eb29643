import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /bulk-jobs/{id}', () => {
  it('answers 304 until the job has changed', async () => {
    const job = { resource: 'leads', filter: { tag: ['nobody'] }, action: { delete: true } };
    const { id } = await createJob(client, job);
    const { headers, body } = await client.get(`/bulk-jobs/${id}`).expect(200);
    expect(headers.etag).toBe('"1"');
    expect(body.data).toMatchObject({ id, status: 'queued', version: 1 });
    const cached = client.with({ 'If-None-Match': '"1"' });
    await cached.get(`/bulk-jobs/${id}`).expect(304);
    await runJobs(app.production);
    expect((await cached.get(`/bulk-jobs/${id}`).expect(200)).body.data.status).toBe('completed');
  });

  it.each(['job_01m7w4n5e0f5h8t2mv9q7c3xkd', 'lead_01m7w4n5e0f5h8t2mv9q7c3xkd', 'x'])(
    'answers 404 for %s',
    async (id) => {
      await client.get(`/bulk-jobs/${id}`).expect(404);
      await client.get(`/bulk-jobs/${id}/errors`).expect(404);
      await client.post(`/bulk-jobs/${id}/cancel`).expect(404);
    },
  );
});
