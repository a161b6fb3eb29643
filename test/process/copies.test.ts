/** A copy of a database serves requests, and does nothing else until an operator adopts it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { forgetServer } from '../../src/db/label.ts';
import { copyDatabase, type TestDatabase } from '../support/database.ts';
import { type Receiver, startReceiver, until } from '../support/deliveries.ts';
import { query } from '../support/embedded.ts';
import { parseMetrics, sumOf } from '../support/metrics.ts';
import {
  asOperator,
  call,
  cleanUp,
  cli,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Longer than the pause between two runs of any of the tasks, and between two looks at the database. */
const A_WHILE = 6_000;

let external: External;
let receiver: Receiver;

beforeAll(async () => {
  external = await externalDatabases();
  receiver = await startReceiver();
});

afterAll(async () => {
  await cleanUp();
  await receiver.close();
});

const adopt = (url: string, env: Record<string, string>) =>
  cli(
    env,
    'data',
    'adopt',
    '--environment',
    'production',
    '--yes',
    '--database',
    new URL(url).pathname.slice(1),
  );

/** Work that waits in the database: two deliveries, a replay of the first event, an import, a bulk job and an expired key. */
async function addWork(server: RunningServer): Promise<void> {
  const base = `${server.url}/v1`;
  const token = await getToken(base, external.credentials);
  const post = async (path: string, body: object) => {
    const answer = await call(token, 'POST', base + path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data as { id: string };
  };
  const from = new Date(Date.now() - 1_000).toISOString();
  await post('/leads', { name: 'Ada', email: 'ada@example.com' });
  const to = new Date().toISOString();
  const webhook = await post('/webhooks', { url: receiver.url, event_types: ['lead.created'] });
  await post('/leads', { name: 'Bob', email: 'bob@example.com' });
  await post(`/webhooks/${webhook.id}/replays`, { from, to });
  await post('/bulk-jobs', {
    resource: 'leads',
    filter: { email: 'bob@example.com' },
    action: { update: { company: 'New' } },
  });
  const imported = await fetch(`${base}/imports?resource=contacts&start=true`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
    body: 'name,email\nEve,eve@example.com\n',
  });
  expect(imported.status).toBe(202);
  await query(
    external.env.DATABASE_URL,
    `insert into idempotency_keys (client_id, key, request_hash, operation, created_at)
     select id, 'expired', '', 'createLead', now() - interval '25 hours' from api_clients limit 1`,
  );
}

/** What of it waits, and what is done. */
async function workIn(url: string): Promise<Record<string, unknown>> {
  const [found] = await query(
    url,
    `select
       (select count(*)::int from webhook_deliveries where status = 'pending') as pending,
       (select count(*)::int from webhook_deliveries where status = 'succeeded') as sent,
       (select status from jobs where kind = 'replay') as replay,
       (select status from jobs where kind = 'import') as import,
       (select status from jobs where kind not in ('import', 'replay')) as job,
       (select count(*)::int from idempotency_keys where key = 'expired') as expired`,
  );
  return found ?? {};
}

const waiting = { pending: 1, sent: 0, replay: 'queued', import: 'queued', job: 'queued', expired: 1 };
const done = { pending: 0, sent: 2, replay: 'completed', import: 'completed', job: 'completed', expired: 0 };

describe('a service on a copy', () => {
  let copy: TestDatabase;
  let env: Record<string, string>;
  let server: RunningServer;

  beforeAll(async () => {
    env = { ...external.env, WEBHOOK_ALLOW_PRIVATE: 'true', METRICS_PORT: '0' };
    // It does no work.
    const original = await startServer({ ...env, ROLE: 'api' });
    await addWork(original);
    await original.stop();

    copy = await copyDatabase(external.env.DATABASE_URL);
    env.DATABASE_URL = copy.url;
    server = await startServer(env);
  });

  afterAll(async () => {
    await server.stop();
    await copy.drop();
  });

  it('sends nothing, runs nothing and deletes nothing, and says so', async () => {
    await sleep(A_WHILE);
    expect(await workIn(copy.url)).toEqual(waiting);
    expect(receiver.received).toEqual([]);
    expect(server.log()).toContainEqual(
      expect.objectContaining({
        level: 40,
        environment: 'production',
        msg: expect.stringMatching(
          /is a copy of another one.*npx lead-pipeline data adopt --environment production$/,
        ),
      }),
    );
    expect(await call('', 'GET', `${server.url}/readyz`)).toMatchObject({
      status: 200,
      body: { status: 'ok', copies: ['production'] },
    });
  });

  it('shows the copy in the metrics', async () => {
    const url = /metrics +(\S+)\n/.exec(server.output.stdout)?.[1] ?? '';
    const samples = parseMetrics(await (await fetch(url)).text());
    const isCopy = (environment: string) => sumOf(samples, 'lead_pipeline_database_copy', { environment });
    expect([isCopy('production'), isCopy('sandbox')]).toEqual([1, 0]);
  });

  it('answers requests', async () => {
    const base = `${server.url}/v1`;
    const token = await getToken(base, external.credentials);
    expect((await call(token, 'GET', `${base}/leads`)).body.data).toHaveLength(2);
    const note = await call(token, 'POST', `${base}/contacts`, { name: 'Ann', email: 'ann@example.com' });
    expect(note.status).toBe(201);
    expect((await call('', 'GET', `${server.url}/sandbox/v1/auth/jwks`)).status).toBe(200);
  });

  it('does all of it within seconds after `data adopt`, which says what waits', async () => {
    const bare = await cli(env, 'data', 'adopt', '--environment', 'production');
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain('(1 deliveries are due)');
    expect(bare.stderr).toContain('imports (1 wait), bulk jobs (1 wait)');
    expect(await adopt(copy.url, env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The database is adopted/),
    });
    await until(async () => JSON.stringify(await workIn(copy.url)) === JSON.stringify(done), 15);
    expect(receiver.received).toHaveLength(2);
    expect((await call('', 'GET', `${server.url}/readyz`)).body).toEqual({ status: 'ok', sandbox: 'ok' });
    expect(await adopt(copy.url, env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The database is not a copy/),
    });
  });
});

describe('a copy that takes the place of the database under a running service', () => {
  it('gets none of its work done, although its connections were the original', async () => {
    const { env: urls, credentials } = await externalDatabases();
    const env = { ...urls, WEBHOOK_ALLOW_PRIVATE: 'true' };
    const other = await startReceiver();
    const first = await startServer({ ...env, ROLE: 'api' });
    const token = await getToken(`${first.url}/v1`, credentials);
    const send = (path: string, body: object) => call(token, 'POST', `${first.url}/v1${path}`, body);
    expect((await send('/webhooks', { url: other.url, event_types: ['*'] })).status).toBe(201);
    expect((await send('/contacts', { name: 'Ann', email: 'ann@example.com' })).status).toBe(201);
    await first.stop();
    const copy = await copyDatabase(env.DATABASE_URL);
    const server = await startServer(env);
    await until(() => other.received.length === 1);

    const [name, standIn] = [env.DATABASE_URL, copy.url].map((url) => new URL(url).pathname.slice(1));
    const admin = inject('serverUrl');
    await query(admin, `alter database ${name} allow_connections false`);
    await query(
      admin,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    );
    await query(admin, `alter database ${name} rename to ${name}_old`);
    await query(admin, `alter database ${standIn} rename to ${name}`);
    await until(async () => (await call('', 'GET', `${server.url}/readyz`)).body.copies);
    await sleep(A_WHILE);
    expect(other.received).toHaveLength(1);
    expect((await workIn(env.DATABASE_URL)).pending).toBe(1);
    await server.stop();
    await other.close();
    await query(admin, `drop database ${name}_old`);
  });
});

describe('a database that is marked as a copy', () => {
  it('counts as one under a running service, and as the original after it is adopted', async () => {
    const { env } = await externalDatabases();
    const server = await startServer(env);
    const copies = async () => (await call('', 'GET', `${server.url}/readyz`)).body.copies;
    expect(await copies()).toBeUndefined();
    await asOperator(env.DATABASE_URL, ({ db }) => forgetServer(db));
    await until(copies, 10);
    expect(await adopt(env.DATABASE_URL, env)).toMatchObject({ code: 0 });
    await until(async () => (await copies()) === undefined, 10);
    expect(await server.stop()).toBe(0);
  });
});
