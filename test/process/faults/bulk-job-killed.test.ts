/** kill -9 during bulk jobs: in the end, each row is changed exactly once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type BulkJob, createJob, readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { insertLeads } from '../../support/lists.ts';
import { cleanUp, newDataDir, run } from '../../support/process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const ROWS = 15_000;
const KILLS = 10;
/** Rows that have as many tags as a lead may have. */
const FULL = ROWS / 100;

type Worker = ReturnType<typeof run>;

let app: TestApp;
let client: TestClient;
let sandbox: TestClient;
let workers: Worker[] = [];

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  sandbox = await app.client(undefined, 'sandbox');
});

afterEach(async () => {
  for (const { child, exited } of workers) {
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  }
  workers = [];
});

afterAll(async () => {
  await cleanUp();
  await app.close();
});

function startWorker(): Worker {
  const [production, sandbox] = app.databases.map(({ url }) => url);
  const env = {
    DATABASE_URL: `${production}`,
    SANDBOX_DATABASE_URL: `${sandbox}`,
    SECRET_KEY: app.secretKey[0].toString('base64'),
    DATA_DIR: newDataDir(),
    DATABASE_POOL_SIZE: '2',
    ROLE: 'worker',
  };
  return run(process.execPath, ['src/server.ts'], env);
}

async function countOf(knex: Knex, sql: string): Promise<number> {
  return Number((await knex.raw(sql)).rows[0].count);
}

async function insertMany(tag: string): Promise<void> {
  const tags = (index: number) =>
    index % 100 === 50 ? [tag, ...Array.from({ length: 19 }, (_, number) => `${number}`)] : [tag];
  const rows = Array.from({ length: ROWS }, (_, index) => ({ tags: tags(index) }));
  await insertLeads(app.production.knex, rows);
}

/** Kills the worker at random points of the job, each time after some progress, and starts another one. */
async function killDuring(as: TestClient, id: string, kills: number): Promise<void> {
  const done = async () => (await readJob(as, id)).rows_done;
  let worker = startWorker();
  for (let kill = 0; kill < kills; kill += 1) {
    const before = await done();
    while ((await done()) === before) await sleep(50);
    await sleep(Math.random() * 100);
    worker.child.kill('SIGKILL');
    await worker.exited;
    worker = startWorker();
  }
  workers.push(worker);
}

async function ended(as: TestClient, id: string): Promise<BulkJob> {
  for (;;) {
    const job = await readJob(as, id);
    if (job.status !== 'queued' && job.status !== 'running') return job;
    await sleep(100);
  }
}

describe('a job whose process is killed ten times at random points', () => {
  it('changes each row once, with one event each, although it changes what its filter is about', async () => {
    await insertMany('update');
    const { knex } = app.production;
    const { id } = await createJob(client, {
      resource: 'leads',
      filter: { tag: ['update'], status: ['new'] },
      action: { update: { status: 'contacted', add_tags: ['seen'] } },
      expected_total: ROWS,
    });
    await killDuring(client, id, KILLS);
    // It was not through before the last one.
    expect((await readJob(client, id)).rows_done).toBeLessThan(ROWS);
    expect(await ended(client, id)).toMatchObject({
      status: 'completed',
      rows_done: ROWS,
      counts: { created: 0, updated: ROWS - FULL, deleted: 0, unchanged: 0, missing: 0, failed: FULL },
      failures: [{ code: 'validation_failed', field: 'add_tags', rows: FULL }],
    });
    const changed = `status = 'contacted' and version = 2 and tags @> '{seen}'`;
    expect(await countOf(knex, `select count(*) from leads where ${changed}`)).toBe(ROWS - FULL);
    expect(await countOf(knex, `select count(*) from leads where status = 'new' and version = 1`)).toBe(FULL);
    for (const type of ['lead.updated', 'lead.status_changed']) {
      const events = `from events where type = '${type}'`;
      expect(await countOf(knex, `select count(*) ${events}`)).toBe(ROWS - FULL);
      expect(await countOf(knex, `select count(distinct resource_id) ${events}`)).toBe(ROWS - FULL);
    }
    const changes = `select count(*) from lead_status_changes where to_status = 'contacted'`;
    expect(await countOf(knex, changes)).toBe(ROWS - FULL);
    const failed = await knex('job_errors').distinct('resource_id').where({ code: 'validation_failed' });
    const full = await knex('leads').select('id').where({ status: 'new' });
    expect(failed.map(({ resource_id }) => resource_id).sort()).toEqual(full.map(({ id }) => id).sort());
    expect(await countOf(knex, 'select count(*) from job_errors')).toBe(FULL);
    expect(await countOf(knex, 'select count(*) from bulk_job_chunks')).toBe(0);
  });

  it('deletes each row once, with one event each', async () => {
    const { knex } = app.production;
    await insertMany('delete');
    const filter = { tag: ['delete'] };
    const { id } = await createJob(client, { resource: 'leads', filter, action: { delete: true } });
    await killDuring(client, id, KILLS);
    expect(await ended(client, id)).toMatchObject({
      status: 'completed',
      counts: { deleted: ROWS, missing: 0, failed: 0 },
    });
    const { body } = await client.get('/leads?tag=delete').expect(200);
    expect(body.meta.total).toBe(0);
    const events = `from events where type = 'lead.deleted'`;
    expect(await countOf(knex, `select count(*) ${events}`)).toBe(ROWS);
    expect(await countOf(knex, `select count(distinct resource_id) ${events}`)).toBe(ROWS);
  });

  it('adds each lead of a seed once, the same as without a kill', async () => {
    const { knex } = app.sandbox;
    const seedOnce = async (kills: number) => {
      const { body } = await sandbox.post('/sandbox/seed', { seed: 9, leads: 12_000 }).expect(202);
      await killDuring(sandbox, body.data.id, kills);
      const job = await ended(sandbox, body.data.id);
      expect(job).toMatchObject({ status: 'completed', rows_done: 12_000 + 34 + 68 });
      expect(await countOf(knex, 'select count(*) from leads')).toBe(12_000);
      const dump = `select md5(string_agg(concat_ws('|', name, email, status, tags, created_at), ',' order by email)) as count from leads`;
      return { hash: (await knex.raw(dump)).rows[0].count, created: job.counts.created };
    };
    const killed = await seedOnce(5);
    await sandbox.post('/sandbox/reset').expect(200);
    const undisturbed = await seedOnce(0);
    expect(undisturbed).toEqual(killed);
  });
});

it('two processes share the jobs of two clients, and a cancelled one stops in the middle', async () => {
  const { knex } = app.production;
  const other = await app.client();
  await insertMany('shared');
  const action = (tag: string) => ({ update: { remove_tags: ['0'], source_detail: tag } });
  const filter = { tag: ['shared'] };
  const one = await createJob(client, { resource: 'leads', filter, action: action('one') });
  const two = await createJob(other, { resource: 'leads', filter, action: action('two') });
  workers = [startWorker(), startWorker()];
  while ((await readJob(client, one.id)).rows_done === 0) await sleep(20);
  const { body } = await client.post(`/bulk-jobs/${one.id}/cancel`).expect(200);
  const { rows_done, counts } = body.data as BulkJob;
  expect(rows_done).toBeLessThan(ROWS);
  expect(await ended(client, two.id)).toMatchObject({ counts: { updated: ROWS, failed: 0 } });
  expect(await readJob(client, one.id)).toEqual(body.data);
  const versions = await countOf(
    knex,
    `select sum(version - 1) as count from leads where tags @> '{shared}'`,
  );
  expect(versions).toBe(ROWS + counts.updated);
});
