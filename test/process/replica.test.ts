/** Reports and exports from a streaming replica, which applies commits late and may fail at any time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { until } from '../support/deliveries.ts';
import { uniqueEmail } from '../support/factories.ts';
import { call } from '../support/process.ts';
import { type ReplicatedService, startReplicatedService } from '../support/replicated-service.ts';
import { MISSING } from '../support/replication.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let service: ReplicatedService;
let isUsed: ReplicatedService['isUsed'];
let isLeft: ReplicatedService['isLeft'];
let base: string;
/** Tokens of two clients. */
let writer: string;
let reader: string;

beforeEach(({ skip }) => {
  if (MISSING !== undefined) skip(MISSING);
});

beforeAll(async () => {
  if (MISSING !== undefined) return;
  service = await startReplicatedService([
    "recovery_min_apply_delay = '200ms'",
    "max_standby_streaming_delay = '100ms'",
    'hot_standby_feedback = on',
    "log_statement = 'all'",
  ]);
  ({ base, isUsed, isLeft } = service);
  [writer, reader] = [await service.newToken(), await service.newToken()];
});

afterAll(() => service?.close());

async function create(): Promise<string> {
  const email = uniqueEmail();
  const { status } = await call(writer, 'POST', `${base}/leads`, { name: 'Ada', email });
  expect(status).toBe(201);
  return email;
}

async function finds(token: string, email: string, headers = {}): Promise<boolean> {
  const { status, body } = await call(token, 'GET', `${base}/leads?email=${email}`, undefined, headers);
  expect(status).toBe(200);
  return (body.meta as { total: number }).total === 1;
}

/** Leads created in the last thirty days, according to the summary. */
async function countCreated(headers = {}): Promise<number> {
  const { status, body } = await call(reader, 'GET', `${base}/analytics/summary`, undefined, headers);
  expect(status).toBe(200);
  return (body.data as { leads_created: number }).leads_created;
}

/** Whether the service starts a query on the replica meanwhile, by PostgreSQL's clock. */
async function isReadFromReplica(path: string): Promise<boolean> {
  const { replica } = service.cluster;
  const [before] = await replica.query('select clock_timestamp()::text as now');
  const { status } = await call(reader, 'GET', base + path);
  expect(status, path).toBe(200);
  const found = await replica.query(
    `select from pg_stat_activity
     where application_name = 'lead-pipeline-api' and query_start > '${before?.now}' and query not like '%pg_control_system%'`,
  );
  return found.length > 0;
}

describe('a replica', () => {
  it('serves reports', async () => {
    await create();
    await until(isUsed);
    const paths = Object.values(operations)
      .filter(
        ({ reads, produces }) =>
          reads === 'replica' && (produces as readonly string[])[0] === 'application/json',
      )
      .map(({ path }) => path);
    expect(paths).toContain('/analytics/summary');
    for (const path of paths) await until(() => isReadFromReplica(path));
  });

  it('serves exports, as long as hot_standby_feedback is on', async () => {
    const { replica } = service.cluster;
    const exports = () => replica.log().split('declare snapshot').length;
    const isExported = async (query = '') => {
      const before = exports();
      const headers = { Authorization: `Bearer ${reader}` };
      expect((await fetch(`${base}/leads/export${query}`, { headers })).status).toBe(200);
      return exports() > before;
    };
    const setFeedback = async (value: string) => {
      await replica.query(`alter system set hot_standby_feedback = ${value}`);
      await replica.query('select pg_reload_conf()');
    };
    await until(() => isExported());
    // Only the primary knows which changes are still being saved.
    expect(await isExported('?updated_from=2020-01-01')).toBe(false);
    expect(await isExported()).toBe(true);
    await setFeedback('off');
    await until(async () => (await isUsed()) && !(await isExported()));
    await setFeedback('on');
    await until(() => isExported());
  });

  it('serves nothing that must be up to date', async () => {
    const { body } = await call(reader, 'GET', `${base}/leads`);
    const [{ id }] = body.data as [{ id: string }];
    await until(isUsed);
    for (const path of [
      '/leads',
      '/leads?search=ada',
      '/contacts',
      '/content',
      '/users',
      `/leads/${id}`,
      `/notes?lead_id=${id}`,
      `/leads/${id}/events`,
      '/webhooks',
      '/events',
      '/auth/me',
    ])
      expect(await isReadFromReplica(path), path).toBe(false);
  });
});

describe('a client', () => {
  it("finds its own and others' writes in the next list", async () => {
    await until(isUsed);
    for (let round = 0; round < 5; round += 1) {
      const email = await create();
      expect([await finds(writer, email), await finds(reader, email)]).toEqual([true, true]);
    }
  });

  it('finds each write in a report within a second, and immediately with Cache-Control: no-cache', async () => {
    for (let round = 0; round < 3; round += 1) {
      await until(isUsed);
      const before = await countCreated({ 'Cache-Control': 'no-cache' });
      await create();
      const since = performance.now();
      expect(await countCreated({ 'Cache-Control': 'no-cache' })).toBe(before + 1);
      for (;;) {
        const askedAt = performance.now();
        if ((await countCreated()) === before + 1) break;
        expect(askedAt - since).toBeLessThan(1_000);
        await sleep(20);
      }
    }
  });
});

describe('the primary answers instead', () => {
  it('while the replica is more than a second behind', async () => {
    await until(isUsed);
    await service.cluster.replica.query('select pg_wal_replay_pause()');
    const before = await countCreated({ 'Cache-Control': 'no-cache' });
    await create();
    await sleep(1_000);
    expect(await countCreated()).toBe(before + 1);
    await until(isLeft);
    expect(service.reason()).toBe('It is more than a second behind.');
    expect(await service.usedInMetrics()).toBe(0);
    await service.cluster.replica.query('select pg_wal_replay_resume()');
    await until(isUsed);
    expect(await service.usedInMetrics()).toBe(1);
  });

  it('when the replica cancels a query that conflicts with recovery', async () => {
    const { primary, replica } = service.cluster;
    await primary.query(
      `create function slow_on_replica() returns boolean language plpgsql as $$ begin
         if pg_is_in_recovery() then perform pg_sleep(10); end if;
         return true;
       end $$;
       create policy slow on leads using (slow_on_replica());
       alter table leads enable row level security;
       alter table leads force row level security`,
      'leads',
    );
    const isSlow = async () => {
      const [row] = await replica.query(
        "select count(*)::int from pg_stat_activity where wait_event = 'PgSleep'",
      );
      return row?.count > 0;
    };
    const startedAt = performance.now();
    const answers: ReturnType<typeof call>[] = [];
    // Until the replica runs one of the reports.
    await until(async () => {
      answers.push(call(reader, 'GET', `${base}/analytics/breakdown`));
      await sleep(200);
      return isSlow();
    });
    await primary.query('begin; lock table leads; commit', 'leads');
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await until(() => replica.log().includes('canceling statement due to conflict with recovery'));
    await primary.query('alter table leads disable row level security', 'leads');
  });

  it.each([
    ['is killed', () => service.cluster.replica.kill(), () => service.cluster.replica.start(), 5_000],
    [
      'stops responding',
      async () => {
        service.network.freeze();
        service.network.freezeNew(true);
      },
      async () => service.network.freezeNew(false),
      // A report that runs at that moment waits for the query timeout, later ones for a second.
      18_000,
    ],
  ])('when the replica %s, without an error', async (_what, end, begin, maxInFlight) => {
    await until(isUsed);
    let isOver = false;
    const durations: number[] = [];
    const client = async (path: string) => {
      while (!isOver) {
        const at = performance.now();
        const { status } = await call(reader, 'GET', base + path);
        expect(status).toBe(200);
        durations.push(performance.now() - at);
        await sleep(100);
      }
    };
    const clients = ['/leads', '/analytics/breakdown', '/analytics/summary', '/analytics/timeseries'].map(
      client,
    );
    await sleep(500);
    await end();
    await until(isLeft);
    await sleep(500);
    expect((await fetch(`${service.server.url}/readyz`)).status).toBe(200);
    await begin();
    await until(isUsed, 30);
    isOver = true;
    await Promise.all(clients);
    expect(Math.max(...durations)).toBeLessThan(maxInFlight);
    expect(durations.filter((ms) => ms > 5_000).length).toBeLessThanOrEqual(clients.length);
  });

  it('when the replica has become a primary', async () => {
    await until(isUsed);
    await service.cluster.replica.promote();
    await until(isLeft);
    expect(service.reason()).toBe('It is not a standby.');
  });
});
