/** A process can run a single environment. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  cli,
  credentialsOf,
  type External,
  externalDatabases,
  failedStart,
  getToken,
  preparedDataDir,
  startServer,
} from '../support/process.ts';
import { sandboxCaller } from '../support/sandbox-caller.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let external: External;
let admin: pg.Client;

beforeAll(async () => {
  external = await externalDatabases();
  admin = new pg.Client({ connectionString: inject('serverUrl') });
  await admin.connect();
});

afterAll(async () => {
  await cleanUp();
  await admin.end();
});

/** How many connections a database has. */
async function connections(databaseUrl: string): Promise<number> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [name]);
  return rowCount ?? 0;
}

describe('ENVIRONMENTS', () => {
  it('=production neither serves the sandbox nor connects to its database', async () => {
    const { SANDBOX_DATABASE_URL, ...env } = external.env;
    const before = await connections(SANDBOX_DATABASE_URL);
    const server = await startServer({ ...external.env, ENVIRONMENTS: 'production' });
    expect(server.output.stdout).not.toContain('/sandbox/v1');
    expect(await call('', 'GET', `${server.url}/readyz`)).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    const token = await getToken(`${server.url}/v1`, external.credentials);
    expect((await call(token, 'GET', `${server.url}/v1/leads`)).status).toBe(200);
    expect(await call(token, 'GET', `${server.url}/sandbox/v1/leads`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'This service does not run the sandbox environment.' },
    });
    const { body } = await call('', 'GET', `${server.url}/openapi.json`);
    expect(body.servers).toEqual([{ url: `${server.url}/v1`, description: 'Production' }]);
    // Housekeeping runs its first tasks immediately, and workers look for deliveries within a second.
    await sleep(1_500);
    expect(await connections(SANDBOX_DATABASE_URL)).toBe(before);
    expect(await server.stop()).toBe(0);

    const alone = await startServer({ ...env, ENVIRONMENTS: 'production' });
    expect((await call('', 'GET', `${alone.url}/readyz`)).body).toEqual({ status: 'ok' });
    expect(await alone.stop()).toBe(0);
  });

  it('=sandbox serves only the sandbox, and needs its database to start', async () => {
    const { DATABASE_URL: _production, ...env } = { ...external.env, ENVIRONMENTS: 'sandbox' };
    const server = await startServer(env);
    expect(await call('', 'GET', `${server.url}/readyz`)).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    const sandbox = await sandboxCaller(server, env);
    expect((await sandbox('GET', '/leads')).status).toBe(200);
    expect((await call('', 'GET', `${server.url}/v1/leads`)).status).toBe(404);
    const other = await cli(env, 'clients', 'list', '--environment', 'production');
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toBe('ENVIRONMENTS does not include production, so no command works in it.\n');
    expect(await server.stop()).toBe(0);
    const missing = new URL(env.SANDBOX_DATABASE_URL);
    missing.pathname = '/missing';
    const { code, stderr } = await failedStart({ ...env, SANDBOX_DATABASE_URL: missing.href });
    expect(code).toBe(1);
    expect(stderr).toContain('database "missing" does not exist');
  });

  it('works with the embedded server too', async () => {
    const dataDir = preparedDataDir();
    const server = await startServer({ DATA_DIR: dataDir, ENVIRONMENTS: 'sandbox' });
    expect(Object.keys(credentialsOf(dataDir))).toEqual(['sandbox']);
    const token = await getToken(`${server.url}/sandbox/v1`, credentialsOf(dataDir).sandbox);
    expect((await call(token, 'GET', `${server.url}/sandbox/v1/leads`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
