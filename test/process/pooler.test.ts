/** The service behind PgBouncer in transaction mode, with fewer connections than the service's own pool. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type Config, loadConfig } from '../../src/config.ts';
import { migrateBy } from '../../src/db/migrate.ts';
import { sessionTimeouts } from '../../src/db/pool/timeouts.ts';
import { openDatabases } from '../../src/process/databases.ts';
import { freePort } from '../../src/process/free-port.ts';
import { type Receiver, startReceiver, until } from '../support/deliveries.ts';
import { uniqueEmail } from '../support/factories.ts';
import { journey } from '../support/journey.ts';
import { MISSING, type Pooler, startPgBouncer } from '../support/pgbouncer.ts';
import {
  call,
  cleanUp,
  cliJson,
  type External,
  externalDatabases,
  failedStart,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const role = `pooled_${randomUUID().replaceAll('-', '')}`;
const POOL_SIZE = 3;

const findRoute = async (config: Config) => (await openDatabases(config)).findRoute('production');

let external: External;
let admin: pg.Client;
let pooler: Pooler;
let receiver: Receiver;
let env: Record<string, string>;
/** For one of the two processes. */
let directUrls: Record<string, string>;

beforeEach(({ skip }) => {
  if (MISSING !== undefined) skip(MISSING);
});

beforeAll(async () => {
  if (MISSING !== undefined) return;
  external = await externalDatabases();
  receiver = await startReceiver();
  admin = new pg.Client({ connectionString: inject('serverUrl') });
  await admin.connect();
  await admin.query(`create role ${role} superuser login password 'secret'`);
  const asRole = new URL(inject('serverUrl'));
  asRole.username = role;
  asRole.password = 'secret';
  pooler = await startPgBouncer(asRole.href, POOL_SIZE);
  const { DATABASE_URL, SANDBOX_DATABASE_URL } = external.env;
  env = {
    ...external.env,
    ...unlimited,
    DATABASE_URL: pooler.through(DATABASE_URL),
    SANDBOX_DATABASE_URL: pooler.through(SANDBOX_DATABASE_URL),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  directUrls = { DATABASE_DIRECT_URL: DATABASE_URL, SANDBOX_DATABASE_DIRECT_URL: SANDBOX_DATABASE_URL };
});

afterAll(async () => {
  if (MISSING !== undefined) return;
  await cleanUp();
  await pooler.close();
  await admin.query(`drop role ${role}`);
  await admin.end();
  await receiver.close();
});

describe('a start behind a pooler', () => {
  it('fails while the role lacks the time limits, and prints the commands that set them', async () => {
    const { code, stderr } = await failedStart(env);
    expect(code).toBe(1);
    const commands = stderr.split('\n').filter((line) => line.startsWith('  ALTER ROLE'));
    expect(commands).toEqual([
      `  ALTER ROLE ${role} SET statement_timeout = '15s';`,
      `  ALTER ROLE ${role} SET lock_timeout = '3s';`,
      `  ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '${sessionTimeouts.idle_in_transaction_session_timeout / 1000}s';`,
    ]);
    for (const command of commands) await admin.query(command);
    // Like PgBouncer's command RECONNECT.
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
  });

  it('fails if the direct URLs lead to other databases', async () => {
    const config = loadConfig({
      ...env,
      DATABASE_DIRECT_URL: external.env.SANDBOX_DATABASE_URL,
      SANDBOX_DATABASE_DIRECT_URL: external.env.DATABASE_URL,
    });
    const fault = /^DATABASE_DIRECT_URL or SANDBOX_DATABASE_DIRECT_URL leads to the database test_\w+/;
    // PgBouncer may briefly keep connections that were terminated.
    await vi.waitFor(() => expect(findRoute(config)).rejects.toThrow(fault), 5_000);
  });

  it('fails if the direct URLs lead to a pooler, which does not pass on notifications', async () => {
    const config = loadConfig({
      ...env,
      DATABASE_DIRECT_URL: `${env.DATABASE_URL}?application_name=direct`,
      SANDBOX_DATABASE_DIRECT_URL: `${env.SANDBOX_DATABASE_URL}?application_name=direct`,
    });
    const fault = /^DATABASE_DIRECT_URL or SANDBOX_DATABASE_DIRECT_URL leads to a pooler: it must lead to/;
    await vi.waitFor(() => expect(findRoute(config)).rejects.toThrow(fault), 5_000);
  });

  it('fails if the pooler leads to the database of another environment', () =>
    expect(findRoute(loadConfig(env)).then((at) => migrateBy(at, 'sandbox'))).rejects.toThrow(
      /is labelled pr/,
    ));

  it('fails if migrations are missing and there is no direct URL', async () => {
    const db = new pg.Client({ connectionString: external.env.DATABASE_URL });
    await db.connect();
    const last = 'where id = (select max(id) from knex_migrations)';
    const { rows } = await db.query(`delete from knex_migrations ${last} returning *`);
    await expect(migrateBy(await findRoute(loadConfig(env)), 'production')).rejects.toThrow(
      /lacks 1 migrations, which can't run through a pooler: set DATABASE_DIRECT_URL and/,
    );
    await db.query(
      'insert into knex_migrations select * from json_populate_record(null::knex_migrations, $1)',
      [rows[0]],
    );
    await db.end();
  });
});

/** A process with a shared public address, so that the others accept its tokens. */
async function startOn(given: Record<string, string>): Promise<RunningServer> {
  const port = String(await freePort('127.0.0.1'));
  const server = await startServer({ ...given, PORT: port, PUBLIC_URL: 'http://api.test' });
  return { ...server, url: `http://127.0.0.1:${port}` };
}

describe('two processes behind a pooler, one of which has direct URLs', () => {
  /** Only the second one has direct URLs. */
  let servers: [RunningServer, RunningServer];
  let token: string;

  beforeAll(async () => {
    if (MISSING !== undefined) return;
    servers = await Promise.all([startOn(env), startOn({ ...env, ...directUrls })]);
    token = await getToken(`${servers[0].url}/v1`, external.credentials);
  });

  const journeyOn = ({ url }: RunningServer) => journey({ url, credentials: external.credentials, receiver });

  it('both complete the journey, with more clients than the pooler has connections', async () => {
    await Promise.all(servers.flatMap((server) => [1, 2].map(() => journeyOn(server))));
  });

  it.each([0, 1] as const)('imports, exports and waiting for events work on process %i', async (index) => {
    const base = `${servers[index].url}/v1`;
    const latest = await call(token, 'GET', `${base}/events?cursor=latest`);
    const { next_cursor } = latest.body.meta as { next_cursor: string };
    const waiting = call(token, 'GET', `${base}/events?cursor=${next_cursor}&wait=20&type=lead.created`);
    const company = `Company ${randomUUID()}`;
    const file = ['name,email,company', ...[1, 2, 3].map(() => `Ada,${uniqueEmail()},${company}`)].join('\n');
    const sent = await fetch(`${base}/imports?resource=leads`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
      body: `${file}\n`,
    });
    expect(sent.status).toBe(202);
    const { data } = (await sent.json()) as { data: { id: string } };
    await until(async () => {
      const { body } = await call(token, 'GET', `${base}/imports/${data.id}`);
      return (body.data as { status: string }).status === 'completed';
    });
    expect((await waiting).body.data).not.toEqual([]);
    const query = new URLSearchParams({ search: company });
    const exported = await fetch(`${base}/leads/export?${query}`, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/csv' },
    });
    expect((await exported.text()).trim().split('\n')).toHaveLength(4);
  });

  it('a token that is revoked on one is rejected by the other within a second', async () => {
    const [first, second] = servers;
    for (const [here, there] of [
      [first, second],
      [second, first],
    ] as const) {
      const revoked = await getToken(`${here.url}/v1`, external.credentials);
      const ask = async () => (await call(revoked, 'GET', `${there.url}/v1/auth/me`)).status;
      // Often enough to be cached, and for longer than a heartbeat takes.
      for (let round = 0; round < 6; round += 1) {
        expect(await ask()).toBe(200);
        await sleep(200);
      }
      const body = { token: revoked, ...external.credentials };
      expect((await call('', 'POST', `${here.url}/v1/auth/revoke`, body)).status).toBe(200);
      await sleep(1_000);
      expect(await ask()).toBe(401);
    }
  });

  it('one Idempotency-Key creates one lead, whichever process gets the requests', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const lead = { name: 'Ada', email: uniqueEmail() };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        call(token, 'POST', `${servers[index % 2 === 0 ? 0 : 1].url}/v1/leads`, lead, key),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => (body.data as { id: string }).id)).size).toBe(1);
  });

  it('time limits apply, and the pooler needs few connections', async () => {
    const { rows } = await admin.query(
      `select count(*)::int as held from pg_stat_activity where usename = $1`,
      [role],
    );
    expect(rows[0].held).toBeLessThanOrEqual(2 * POOL_SIZE);
    const base = `${servers[0].url}/v1`;
    const { body } = await call(token, 'POST', `${base}/leads`, { name: 'Ada', email: uniqueEmail() });
    const { id } = body.data as { id: string };
    const db = new pg.Client({ connectionString: external.env.DATABASE_URL });
    await db.connect();
    await db.query('begin; select from leads for update');
    const answer = await call(token, 'PATCH', `${base}/leads/${id}`, { company: 'X' });
    await db.end();
    expect(answer.status).toBe(503);
    expect(answer.body.message).toContain('Another request is still changing the same data');
  });

  it('the command line works with and without direct URLs', async () => {
    for (const more of [{}, directUrls]) {
      const args = ['clients', 'list', '--environment', 'production'];
      expect(await cliJson({ ...env, ...more }, ...args)).not.toEqual([]);
    }
  });

  it('the one without direct URLs warns once per environment, and both stop on a signal', async () => {
    const warnings = (server: RunningServer) =>
      server.output.stderr.split('\n').filter((line) => line.includes('DATABASE_DIRECT_URL'));
    await until(() => warnings(servers[0]).length > 1);
    expect(warnings(servers[0])).toHaveLength(2);
    expect(warnings(servers[1])).toEqual([]);
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);
  });
});
