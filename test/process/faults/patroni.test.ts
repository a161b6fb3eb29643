/** The cluster of docs/high-availability.md, as deploy/patroni configures it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from '../../../src/process/free-port.ts';
import { until } from '../../support/deliveries.ts';
import { project } from '../../support/embedded.ts';
import { MISSING, type PatroniCluster, startPatroni } from '../../support/patroni.ts';
import {
  cleanUp,
  getToken,
  newClient,
  newDataDir,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { startWriters, type Writers } from '../../support/writers.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const WRITERS = 8;
/** Twice what the chapter says. Milliseconds. */
const MAX_SWITCHOVER = 8_000;
const MAX_FAILOVER = 50_000;
/** Whatever happens, a request has its answer by then: docs/postgresql.md. Milliseconds. */
const LONGEST_REQUEST = 17_000;

let cluster: PatroniCluster;
let servers: RunningServer[];
let bases: string[];
let token: string;

beforeEach(({ skip }) => {
  if (MISSING !== undefined) skip(MISSING);
});

beforeAll(async () => {
  if (MISSING !== undefined) return;
  cluster = await startPatroni();
  await cluster.settled();
  execFileSync('psql', ['--quiet', '--file=deploy/postgresql.sql', cluster.superuserUrl], {
    cwd: project,
    env: { ...process.env, DATABASE_PASSWORD: 'made-up' },
  });
  const env = {
    ...unlimited,
    DATABASE_URL: cluster.url('lead_pipeline'),
    SANDBOX_DATABASE_URL: cluster.url('lead_pipeline_sandbox'),
    SECRET_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'http://api.test',
  };
  const ports = [await freePort(), await freePort()];
  const start = (port: number) => startServer({ ...env, PORT: String(port), DATA_DIR: newDataDir() });
  servers = await Promise.all(ports.map(start));
  bases = ports.map((port) => `http://127.0.0.1:${port}/v1`);
  token = await getToken(bases[0] as string, await newClient(env.DATABASE_URL));
});

afterAll(async () => {
  await cleanUp();
  await cluster?.close();
});

/** Waits until each writer has written again, as often as it takes to be sure. */
async function untilWriting(writers: Writers): Promise<void> {
  const before = writers.created.length;
  await until(() => writers.created.length > before + 10 * WRITERS, 60);
}

/** Whatever a client was told has happened, each request exactly once; and all requests were answered in time. */
async function expectNothingLost({ created, attempts }: Writers): Promise<void> {
  for (const { status, code, retryAfter, took } of attempts) {
    expect(took).toBeLessThan(LONGEST_REQUEST);
    if (status === 201) continue;
    expect([status, code]).toEqual([
      503,
      expect.toBeOneOf(['unavailable', 'outcome_unknown', 'query_timeout']),
    ]);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  const emails = created.map(({ email }) => email).toSorted();
  const { leader } = await cluster.settled();
  const rows = await cluster.query(leader, 'select email from leads', 'lead_pipeline');
  const stored = rows.map(({ email }) => email);
  expect(emails.filter((email) => !stored.includes(email))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect(
    servers.flatMap((server) => server.log()).filter(({ msg }) => /log_restored/.test(`${msg}`)),
  ).toEqual([]);
}

it('a switchover loses nothing', async () => {
  const { leader, sync } = await cluster.settled();
  const writers = startWriters(bases, token, WRITERS);
  await untilWriting(writers);
  const startedAt = performance.now();
  await cluster.patronictl('switchover', '--leader', leader, '--candidate', sync, '--force');
  await untilWriting(writers);
  expect(writers.pauseSince(startedAt)).toBeLessThan(MAX_SWITCHOVER);
  await writers.stop();
  await expectNothingLost(writers);
  expect((await cluster.settled()).leader).toBe(sync);
});

it('a synchronous replica that freezes holds writes up for less time than a request may take', async () => {
  const { leader, sync, other } = await cluster.settled();
  const writers = startWriters(bases, token, WRITERS);
  await untilWriting(writers);
  const frozenAt = performance.now();
  cluster.freeze(sync, true);
  await untilWriting(writers);
  cluster.freeze(sync, false);
  expect(writers.pauseSince(frozenAt)).toBeLessThan(LONGEST_REQUEST);
  await writers.stop();
  await expectNothingLost(writers);
  expect(await cluster.settled()).toMatchObject({ leader, sync: other });
});

it('a machine that dies as the leader loses nothing, and comes back as a replica', async () => {
  const { leader, sync } = await cluster.settled();
  const writers = startWriters(bases, token, WRITERS);
  await untilWriting(writers);
  const killedAt = performance.now();
  cluster.kill(leader);
  await untilWriting(writers);
  expect(writers.pauseSince(killedAt)).toBeLessThan(MAX_FAILOVER);
  cluster.start(leader);
  await untilWriting(writers);
  await writers.stop();
  await expectNothingLost(writers);
  expect((await cluster.settled()).leader).toBe(sync);
});
