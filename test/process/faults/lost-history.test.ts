/** A replica takes over that lacks the last changes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type BehindNetwork, databasesOn, startBehindNetwork } from '../../support/behind-network.ts';
import { until } from '../../support/deliveries.ts';
import { parseMetrics, sumOf } from '../../support/metrics.ts';
import { call } from '../../support/process.ts';
import { type Cluster, MISSING, startCluster } from '../../support/replication.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cluster: Cluster;
let service: BehindNetwork;

beforeEach(({ skip }) => {
  if (MISSING !== undefined) skip(MISSING);
});

beforeAll(async () => {
  if (MISSING !== undefined) return;
  cluster = await startCluster(['leads', 'leads_sandbox']);
  service = await startBehindNetwork({ databases: databasesOn(cluster), env: { METRICS_PORT: '0' } });
});

afterAll(async () => {
  await service?.close();
  await cluster?.close();
});

const create = () =>
  call(service.token, 'POST', `${service.base}/leads`, {
    name: 'Ada',
    email: `${randomUUID()}@example.com`,
  });

it('the operator learns of it, although new changes follow immediately', async () => {
  const { primary, replica } = cluster;
  const { server, network } = service;
  expect((await create()).status).toBe(201);
  const [row] = await primary.query('select pg_current_wal_lsn() as position');
  await until(async () => {
    const [caught] = await replica.query(`select pg_last_wal_replay_lsn() >= '${row?.position}' as up`);
    return caught?.up === true;
  });
  await replica.query(`alter system set primary_conninfo = ''`);
  await replica.query('select pg_reload_conf()');
  await until(async () => (await primary.query('select from pg_stat_replication')).length === 0);
  expect((await create()).status).toBe(201);
  const [lost] = await primary.query('select max(position) as position from events', 'leads');

  await primary.kill();
  await replica.promote();
  network.lead(replica.url('leads'));
  await until(async () => (await create()).status === 201);
  const line = await until(() => server.log().find(({ msg }) => /log_restored/.test(`${msg}`)));
  expect(line).toMatchObject({
    level: 40,
    environment: 'production',
    event: expect.stringMatching(/^event_/),
    position: Number(lost?.position),
  });
  const [, url = ''] = /metrics +(\S+)\n/.exec(server.output.stdout) ?? [];
  const samples = parseMetrics(await (await fetch(url)).text());
  const seen = { environment: 'production', seen_by: 'process' };
  expect(sumOf(samples, 'lead_pipeline_log_restored_total', seen)).toBe(1);
});
