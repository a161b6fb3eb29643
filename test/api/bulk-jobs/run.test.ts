import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob, readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { insertLeads } from '../../support/lists.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => runJobs(app.production));

async function makeJob(as: TestClient, rows: number): Promise<string> {
  const tag = randomUUID();
  await insertLeads(
    app.production.knex,
    Array.from({ length: rows }, () => ({ tags: [tag] })),
  );
  const job = { resource: 'leads', filter: { tag: [tag] }, action: { update: { status: 'contacted' } } };
  return (await createJob(as, job)).id;
}

describe('running bulk jobs', () => {
  it('takes turns between clients, and runs those of one client in order', async () => {
    const other = await app.client();
    const first = await makeJob(client, 1_500);
    const second = await makeJob(client, 10);
    const theirs = await makeJob(other, 600);
    const done = async () =>
      Promise.all([first, second, theirs].map(async (id) => (await readJob(client, id)).rows_done));
    await runOnce(app.production);
    await runOnce(app.production);
    expect(await done()).toEqual([500, 0, 500]);
    await runOnce(app.production);
    await runOnce(app.production);
    expect(await done()).toEqual([1_000, 0, 600]);
    await runOnce(app.production);
    await runOnce(app.production);
    expect(await done()).toEqual([1_500, 10, 600]);
  });

  it('takes turns even if one client has many small jobs', async () => {
    const other = await app.client();
    const large = await makeJob(client, 1_500);
    const small = [];
    for (let job = 0; job < 4; job += 1) small.push(await makeJob(other, 1));
    for (let step = 0; step < 6; step += 1) await runOnce(app.production);
    const done = await Promise.all(
      [large, ...small].map(async (id) => (await readJob(client, id)).rows_done),
    );
    expect(done).toEqual([1_500, 1, 1, 1, 0]);
  });

  it('changes the other rows if one fails unexpectedly', async () => {
    const { knex } = app.production;
    const tag = randomUUID();
    const leads = [await createLead(client, { tags: [tag] }), await createLead(client, { tags: [tag] })];
    const { id } = await createJob(client, {
      resource: 'leads',
      filter: { tag: [tag] },
      action: { update: { company: 'Poison' } },
    });
    await knex.raw(
      `create function poison() returns trigger language plpgsql as $$ begin
         if new.id = '${uuidOf(leads[0]?.id ?? '')}' then raise exception 'poison'; end if; return new; end $$;
       create trigger poison before update on leads for each row execute function poison()`,
    );
    await runJobs(app.production);
    await knex.raw('drop trigger poison on leads; drop function poison()');
    expect(await readJob(client, id)).toMatchObject({
      status: 'completed',
      counts: { updated: 1, failed: 1 },
      failures: [{ code: 'internal_error', field: null, rows: 1 }],
    });
    const { body } = await client.get(`/bulk-jobs/${id}/errors`).expect(200);
    expect(body.data).toMatchObject([{ resource_id: leads[0]?.id, code: 'internal_error' }]);
  });

  it('fails after five attempts at a chunk, and keeps what was done', async () => {
    const { knex } = app.production;
    const id = await makeJob(client, 600);
    await runOnce(app.production);
    await knex.raw(
      `create function stuck() returns trigger language plpgsql as $$ begin
         if new.rows_done > old.rows_done then raise exception 'stuck'; end if; return new; end $$;
       create trigger stuck before update on jobs for each row execute function stuck()`,
    );
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await readJob(client, id)).toMatchObject({ status: 'running', rows_done: 500 });
      await expect(runOnce(app.production)).rejects.toThrow('stuck');
    }
    await knex.raw('drop trigger stuck on jobs; drop function stuck()');
    const job = await readJob(client, id);
    expect(job).toMatchObject({
      status: 'failed',
      rows_done: 500,
      failure: {
        code: 'internal_error',
        message: 'The service failed five times to process the next rows. Try again with the others later.',
      },
    });
    expect(await knex('bulk_job_chunks').select()).toEqual([]);
    await runJobs(app.production);
    expect(await readJob(client, id)).toEqual(job);
  });
});
