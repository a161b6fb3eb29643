/** The database is put back to an older state under a running service. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { query } from '../support/embedded.ts';
import { parseMetrics, sumOf } from '../support/metrics.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../support/process.ts';

let external: External;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  external = await externalDatabases();
  server = await startServer({ ...external.env, METRICS_PORT: '0' });
  token = await getToken(`${server.url}/v1`, external.credentials);
});
afterAll(cleanUp);

const ask = (method: string, path: string, body?: object) =>
  call(token, method, `${server.url}/v1${path}`, body);
const inDatabase = (sql: string) => query(external.env.DATABASE_URL, sql);

async function create(): Promise<void> {
  const lead = { name: 'Ada', email: `${randomUUID()}@example.com` };
  expect((await ask('POST', '/leads', lead)).status).toBe(201);
}

async function latest(): Promise<string> {
  const { body } = await ask('GET', '/events?cursor=latest');
  return (body.meta as { next_cursor: string }).next_cursor;
}

/** How often it was seen that history is lost. */
async function seenBy(seen_by: 'process' | 'follower') {
  const [, url = ''] = /metrics +(\S+)\n/.exec(server.output.stdout) ?? [];
  const samples = parseMetrics(await (await fetch(url)).text());
  return sumOf(samples, 'lead_pipeline_log_restored_total', { environment: 'production', seen_by });
}

const warnings = () => server.log().filter(({ msg }) => String(msg).includes('log_restored'));

it('a process reports lost events that it had committed, and each follower who is sent back', async () => {
  await create();
  const kept = await latest();
  await create();
  const lost = await latest();
  // It has compared both with the log at least once.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect([await seenBy('process'), await seenBy('follower'), warnings()]).toEqual([0, 0, []]);

  const [{ id, position } = {}] = await inDatabase(
    'delete from events where position = (select max(position) from events) returning id, position',
  );
  await expect.poll(warnings).toHaveLength(1);
  expect(warnings()[0]).toMatchObject({ level: 40, environment: 'production', position: Number(position) });
  expect(warnings()[0]?.msg).toMatch(/^The database has lost events/);
  expect(id).toEqual(expect.any(String));

  // New changes hide neither this nor the next loss.
  await create();
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect((await ask('GET', `/events?cursor=${lost}`)).body.code).toBe('log_restored');
  expect((await ask('GET', `/events?cursor=${kept}`)).status).toBe(200);
  expect([await seenBy('process'), await seenBy('follower')]).toEqual([1, 2]);
  // The second rejected cursor is only counted.
  expect(warnings()).toHaveLength(2);
  await inDatabase('delete from events where position = (select max(position) from events)');
  await expect.poll(() => seenBy('process')).toBe(2);
});

it('events that are dropped because of their age are not lost', async () => {
  await create();
  const before = await seenBy('process');
  await inDatabase(`with expired as (delete from events returning position)
    update event_retention set dropped_through = (select max(position) from expired)`);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await seenBy('process')).toBe(before);
});
