import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { findFaketime } from '../../support/faketime.ts';
import {
  call,
  cleanUp,
  cli,
  cliJson,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../../support/process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const library = findFaketime();
const production = ['--environment', 'production'];
let external: External;
let database: pg.Pool;
let server: RunningServer | undefined;

beforeAll(async () => {
  external = await externalDatabases();
  database = new pg.Pool({ connectionString: external.env.DATABASE_URL });
});
beforeEach(async () => {
  await server?.stop();
  server = undefined;
});
afterAll(async () => {
  await database.end();
  await cleanUp();
});

/** Starts the service, with its clock this many days ahead. */
async function start(days = 0): Promise<RunningServer> {
  const ahead = { LD_PRELOAD: library ?? '', FAKETIME: `+${days}d`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  server = await startServer({ ...external.env, METRICS_PORT: '0', ...(days > 0 && ahead) });
  return server;
}

/** Production's lines with such a message. */
const logged = (message: RegExp) =>
  server?.log().filter(({ environment, msg }) => environment === 'production' && message.test(String(msg))) ??
  [];
const HELD = /^Old data is not deleted: /;

/** The value of a metric of production. */
async function metric(name: string): Promise<number> {
  const [, url = ''] = /metrics +(\S+)\n/.exec(server?.output.stdout ?? '') ?? [];
  const text = await (await fetch(url)).text();
  return Number(new RegExp(`^lead_pipeline_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

async function countOf(table: string): Promise<number> {
  const { rows } = await database.query(`select count(*)::int as count from ${table}`);
  return rows[0].count;
}

async function follow(base: string, token: string, after: string) {
  return call(token, 'GET', `${base}/events?cursor=${after}`);
}

it('a process whose clock is 100 days ahead deletes nothing, says so, and lets followers continue', async ({
  skip,
}) => {
  if (library === undefined) skip('libfaketime: missing; apt-get install faketime');
  const right = await start();
  const token = await getToken(`${right.url}/v1`, external.credentials);
  const { body } = await call(token, 'GET', `${right.url}/v1/events?cursor=latest`);
  const cursor = (body.meta as { next_cursor: string }).next_cursor;
  for (const name of ['Ada', 'Grace', 'Edsger'])
    expect((await call(token, 'POST', `${right.url}/v1/contacts`, { name })).status).toBe(201);
  await right.stop();

  const wrong = await start(100);
  await vi.waitFor(() => expect(logged(HELD)).toHaveLength(1), 15_000);
  expect(logged(HELD)[0]).toMatchObject({
    level: 50,
    environment: 'production',
    msg: expect.stringMatching(
      /this process's clock \(.+\) and the database's \(.+\) differ by more than an hour/,
    ),
  });
  const later = await getToken(`${wrong.url}/v1`, external.credentials);
  const { status, body: page } = await follow(`${wrong.url}/v1`, later, cursor);
  expect(status).toBe(200);
  expect(page.data).toHaveLength(3);
  expect(await countOf('events')).toBe(3);
  expect(logged(/^Deleted/)).toEqual([]);
});

it('a database whose clock jumps keeps its data until the operator releases it', async () => {
  // As if the last run had been 400 days ago, by the database's clock.
  await database.query(`
    update retention_clock set reached = reached - interval '400 days', checked_at = checked_at - interval '400 days';
    insert into audit_log (id, created_at, action, actor_type)
      values (new_uuid(), now() - interval '366 days', 'client.created', 'operator');
    insert into events (id, type, request_id, actor_type, resource_id, object)
      values (new_uuid(now() - interval '91 days'), 'webhook.test', 'test', 'system', new_uuid(), '{}')`);
  const kept = [await countOf('audit_log'), await countOf('events')];
  await start();
  await vi.waitFor(() => expect(logged(HELD)).toHaveLength(1), 15_000);
  expect(logged(HELD)[0]?.msg).toMatch(
    /the database's clock is 400 days later than when old data was last deleted/,
  );
  expect(await metric('retention_lag_seconds{environment="production"}')).toBeGreaterThan(399 * 86_400);
  expect([await countOf('audit_log'), await countOf('events')]).toEqual(kept);

  const shown = await cli(external.env, 'retention', 'show', ...production);
  expect(shown.stdout).toMatch(/^Old data is not deleted: the database's clock is 400 days later/);
  const asked = await cli(external.env, 'retention', 'release', ...production);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(
    /deletes what is too old by then: 1 audit_log, 1 events\. To do it without a terminal/,
  );
  expect([await countOf('audit_log'), await countOf('events')]).toEqual(kept);

  const released = await cli(external.env, 'retention', 'release', ...production, '--yes');
  expect(released).toMatchObject({ code: 0, stderr: '' });
  expect(released.stdout).toMatch(/^Released: within an hour, the service deletes 1 audit_log, 1 events\./);
  // The next run may be an hour away. A start runs it immediately.
  await server?.stop();
  await start();
  await vi.waitFor(() => expect(logged(/^Deleted/)).toHaveLength(2), 15_000);
  expect(await countOf('events')).toBe((kept[1] ?? 0) - 1);
  expect(await metric('deleted_total{environment="production",kind="events"}')).toBe(1);
  expect(await metric('retention_lag_seconds{environment="production"}')).toBeLessThan(90);
  const after = await cliJson(external.env, 'retention', 'release', ...production);
  expect(Date.parse(after.database_time ?? '') - Date.parse(after.deleted_until ?? '')).toBeLessThan(5_000);
});
