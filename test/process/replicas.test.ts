/** Several processes of the service, and several replicas behind one port, as with Patroni's /replica endpoint. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../support/deliveries.ts';
import { uniqueEmail } from '../support/factories.ts';
import { call } from '../support/process.ts';
import { type ReplicatedService, startReplicatedService } from '../support/replicated-service.ts';
import { MISSING, type PostgresServer } from '../support/replication.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let service: ReplicatedService;
/** The base URLs of both processes. */
let bases: [string, string];
let token: string;
/** A replica that stays connected but applies nothing. */
let frozen: PostgresServer;

beforeEach(({ skip }) => {
  if (MISSING !== undefined) skip(MISSING);
});

beforeAll(async () => {
  if (MISSING !== undefined) return;
  service = await startReplicatedService(['hot_standby_feedback = on', "recovery_min_apply_delay = '200ms'"]);
  bases = [service.base, await service.startAnother()];
  token = await service.newToken();
  const { cluster, network } = service;
  frozen = await cluster.addReplica();
  network.balance([cluster.replica.url('leads'), frozen.url('leads')]);
  await until(async () => (await connectionsTo(frozen)) > 0, 30);
  await frozen.query('select pg_wal_replay_pause()');
});

afterAll(() => service?.close());

async function ask(base: string, path: string, headers = {}) {
  const { status, body } = await call(token, 'GET', base + path, undefined, headers);
  expect([path, status]).toEqual([path, 200]);
  return body as { data: { leads_created: number }; meta: { total: number } };
}

/** The service's connections to a replica. Requests reports first, which open some. */
async function connectionsTo(server: PostgresServer): Promise<number> {
  await Promise.all(bases.flatMap((base) => [1, 2, 3].map(() => ask(base, '/analytics/summary'))));
  const [row] = await server.query(
    `select count(*)::int from pg_stat_activity where application_name = 'lead-pipeline-api'`,
  );
  return row?.count;
}

async function create(base: string): Promise<string> {
  const email = uniqueEmail();
  const { status } = await call(token, 'POST', `${base}/leads`, { name: 'Ada', email });
  expect(status).toBe(201);
  return email;
}

describe('with two processes, and two replicas of which one applies nothing', () => {
  it('a client finds its own writes in each list, whichever process answers', async () => {
    const [one, other] = bases;
    for (let round = 0; round < 20; round += 1) {
      const email = await create(one);
      const lists = await Promise.all([other, one, other].map((base) => ask(base, `/leads?email=${email}`)));
      expect(lists.map(({ meta }) => meta.total)).toEqual([1, 1, 1]);
    }
  });

  it('a report lags by at most a second, and is still read from the other replica', async () => {
    for (let round = 0; round < 10; round += 1) {
      const headers = { 'Cache-Control': 'no-cache' };
      await create(bases[0]);
      const { leads_created } = (await ask(bases[0], '/analytics/summary', headers)).data;
      const late = performance.now() + 1_000;
      const reports: number[] = [];
      while (reports.length === 0 || performance.now() < late + 300) {
        const isLate = performance.now() > late;
        const answers = await Promise.all(bases.map((base) => ask(base, '/analytics/summary')));
        if (isLate) reports.push(...answers.map(({ data }) => data.leads_created));
      }
      expect(new Set(reports)).toEqual(new Set([leads_created]));
    }
    const { replica } = service.cluster;
    await until(async () => (await connectionsTo(replica)) > 0);
  });

  it('an export lags by at most a second', async () => {
    await create(bases[0]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { total } = (await ask(bases[0], '/leads?per_page=1')).meta;
    for (let round = 0; round < 10; round += 1) {
      const headers = { Authorization: `Bearer ${token}`, Accept: 'application/x-ndjson' };
      const file = await (await fetch(`${bases[round % 2]}/leads/export`, { headers })).text();
      expect(file.trim().split('\n').length).toBe(total);
    }
  });

  it('the log names the lagging server and the one that is used', async () => {
    const address = (server: PostgresServer) => new URL(server.url('leads')).host;
    const [used, left] = [address(service.cluster.replica), address(frozen)];
    await until(() => service.changes().some(({ server }) => server === left));
    const last = (name: string) => service.changes().findLast(({ server }) => server === name);
    expect(last(left)?.reason).toBe('It is more than a second behind.');
    expect(last(used)).toBeDefined();
    expect(last(used)?.reason).toBeUndefined();
  });

  it('reports take at most four seconds when the lagging one accepts no connections either', async () => {
    frozen.freeze(true);
    const slowest: number[] = [];
    const end = performance.now() + 8_000;
    const client = async (base: string) => {
      while (performance.now() < end) {
        const at = performance.now();
        await ask(base, '/analytics/summary');
        slowest.push(performance.now() - at);
      }
    };
    await Promise.all([...bases, ...bases, ...bases].map(client)).finally(() => frozen.freeze(false));
    expect(slowest.length).toBeGreaterThan(50);
    expect(Math.max(...slowest)).toBeLessThan(4_000);
  });
});
