import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  cliJson,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

let external: External;
let server: RunningServer;
let baseUrl: string;
let database: string;
let admin: pg.Client;
let token: string;

beforeAll(async () => {
  external = await externalDatabases();
  database = new URL(external.env.DATABASE_URL).pathname.slice(1);
  admin = new pg.Client({ connectionString: inject('serverUrl') });
  await admin.connect();
  server = await startServer(external.env);
  baseUrl = `${server.url}/v1`;
  token = await getToken(baseUrl, external.credentials);
});

afterAll(async () => {
  await admin.end();
  await cleanUp();
});

/** Ends all connections, including those that are just being opened. */
async function cut(which: string): Promise<void> {
  const end = async () => {
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name ${which}`,
      [database],
    );
    return rowCount;
  };
  await vi.waitFor(async () => expect(await end()).toBeGreaterThan(0), 5000);
  await vi.waitFor(async () => expect(await end()).toBe(0), 5000);
}

const me = () => call(token, 'GET', `${baseUrl}/auth/me`);
const status = async (path: string) => (await fetch(server.url + path)).status;

describe('while the database is down', () => {
  it('requests get 503, even with a token that was just verified, and then the service recovers', async () => {
    // Asked twice, so that the token is remembered.
    expect([(await me()).status, (await me()).status]).toEqual([200, 200]);
    await admin.query(`alter database ${database} allow_connections false`);
    await cut('is not null');
    // Also those that were let in just before and show up a moment later.
    await vi.waitFor(async () => expect(await status('/readyz')).toBe(503), 5000);
    await sleep(500);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ]);
    const lead = { name: 'Ada', email: 'ada@example.com' };
    for (const answer of await Promise.all([
      me(),
      call(token, 'GET', `${baseUrl}/leads`),
      call(token, 'POST', `${baseUrl}/leads`, lead),
      call('', 'POST', `${baseUrl}/auth/token`, {
        grant_type: 'client_credentials',
        ...external.credentials,
      }),
    ])) {
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({
        code: 'unavailable',
        request_id: answer.headers.get('X-Request-Id'),
      });
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect([await status('/readyz'), await status('/livez')]).toEqual([503, 200]);
    const sandbox = await call(token, 'GET', `${server.url}/sandbox/v1/leads`);
    expect(sandbox.status).toBe(401);
    await admin.query(`alter database ${database} allow_connections true`);
    await vi.waitFor(async () => expect(await status('/readyz')).toBe(200), 5000);
    expect((await me()).status).toBe(200);
    expect((await call(token, 'POST', `${baseUrl}/leads`, lead)).status).toBe(201);
  });
});

describe('while the listening connection alone is down', () => {
  it('requests are answered', async () => {
    await cut("= 'lead-pipeline-api listener'");
    for (let round = 0; round < 20; round += 1) {
      expect((await me()).status).toBe(200);
      await sleep(25);
    }
  });

  it('revocations take effect', async () => {
    const revoked = await getToken(baseUrl, external.credentials);
    const ask = () => call(revoked, 'GET', `${baseUrl}/auth/me`);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    await cut("= 'lead-pipeline-api listener'");
    const { client_id, client_secret } = external.credentials;
    const body = { token: revoked, client_id, client_secret };
    expect((await call('', 'POST', `${baseUrl}/auth/revoke`, body)).status).toBe(200);
    expect((await ask()).body.code).toBe('token_revoked');
    expect((await me()).status).toBe(200);
  });

  it('and after it is back, missed revocations take effect', async () => {
    const client = await cliJson<External['credentials']>(
      external.env,
      ...['clients', 'create', '--environment', 'production', '--name', 'Other'],
    );
    const other = await getToken(baseUrl, client);
    const ask = async () => (await call(other, 'GET', `${baseUrl}/auth/me`)).body.code ?? 'ok';
    expect([await ask(), await ask()]).toEqual(['ok', 'ok']);
    await cut("= 'lead-pipeline-api listener'");
    // In the moment in which nobody listens.
    const db = new pg.Client({ connectionString: external.env.DATABASE_URL });
    await db.connect();
    await db.query(`update api_clients set disabled_at = now() where name = 'Other'`);
    await db.end();
    for (let round = 0; round < 30; round += 1) {
      expect(await ask()).toBe('token_revoked');
      await sleep(50);
    }
  });
});

it('the server has survived all of it', async () => {
  expect(await server.stop()).toBe(0);
});
