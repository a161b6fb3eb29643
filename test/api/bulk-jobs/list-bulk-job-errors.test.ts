import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { doJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function failedJob() {
  const tag = randomUUID();
  const leads = [
    await createLead(client, { tags: [tag] }),
    await createLead(client, { tags: [tag], status: 'lost' }),
    await createLead(client, { tags: [tag], status: 'won' }),
  ];
  const job = await doJob(app, client, {
    resource: 'leads',
    filter: { tag: [tag] },
    action: { update: { lost_reason: 'No budget' } },
  });
  return { job, leads };
}

describe('GET /bulk-jobs/{id}/errors', () => {
  it('lists why rows failed, page by page and in both orders', async () => {
    const { job, leads } = await failedJob();
    expect(job).toMatchObject({
      counts: { updated: 1, failed: 2 },
      failures: [{ code: 'validation_failed', field: 'lost_reason', rows: 2 }],
    });
    const path = `/bulk-jobs/${job.id}/errors`;
    const { body, headers } = await client.get(`${path}?per_page=1`).expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body.meta).toMatchObject({ total: 2, last_page: 2 });
    expect(body.data).toEqual([
      {
        row: 1,
        resource: 'leads',
        resource_id: leads[0]?.id,
        field: 'lost_reason',
        code: 'validation_failed',
        message: 'lost_reason can only be set with status lost, not with new.',
      },
    ]);
    const next = await client.get(`${path}?per_page=1&cursor=${body.meta.next_cursor}`).expect(200);
    expect(next.body.data).toMatchObject([{ row: 3, resource_id: leads[2]?.id }]);
    const last = await client.get(`${path}?sort=-row`).expect(200);
    expect(last.body.data.map(({ row }: { row: number }) => row)).toEqual([3, 1]);
  });

  it('exports them as CSV and NDJSON', async () => {
    const { job, leads } = await failedJob();
    const path = `/bulk-jobs/${job.id}/errors`;
    const { text } = await client.get(path).set('Accept', 'text/csv').expect(200);
    expect(text.split('\r\n')).toEqual([
      'row,resource,resource_id,field,code,message',
      `1,leads,${leads[0]?.id},lost_reason,validation_failed,"lost_reason can only be set with status lost, not with new."`,
      `3,leads,${leads[2]?.id},lost_reason,validation_failed,"lost_reason can only be set with status lost, not with won."`,
      '',
    ]);
    const lines = await client.get(path).set('Accept', 'application/x-ndjson').buffer().expect(200);
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).row),
    ).toEqual([1, 3]);
  });

  it('needs the scope of the job', async () => {
    const { job } = await failedJob();
    await (await app.client(['contacts:read'])).get(`/bulk-jobs/${job.id}/errors`).expect(403);
  });
});
