import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  call,
  cleanUp,
  credentialsOf,
  type External,
  externalDatabases,
  failedStart,
  getToken,
  isAlive,
  newDataDir,
  postmaster,
  type RunningServer,
  startServer,
} from '../support/process.ts';

afterAll(cleanUp);

/** The output of a shell into which the lines are pasted. */
async function paste(...lines: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', lines.join('\n')]);
  return JSON.parse(stdout);
}

describe('the first start, without any configuration', () => {
  const dataDir = newDataDir();
  let server: RunningServer;
  let seconds: number;

  beforeAll(async () => {
    const start = performance.now();
    server = await startServer({ DATA_DIR: dataDir });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    seconds = (performance.now() - start) / 1000;
  });

  it('answers within half a minute', () => {
    console.info(`Start to first answered request: ${seconds.toFixed(1)} s`);
    // 5 s on an idle machine; other test files run at the same time.
    expect(seconds).toBeLessThan(30);
  });

  it('prints its addresses, and where credentials and data are', () => {
    const { stdout } = server.output;
    expect(stdout).toContain(`${server.url}/v1\n`);
    expect(stdout).toContain(`${server.url}/sandbox/v1\n`);
    for (const page of ['docs', 'guides', 'dashboard']) expect(stdout).toContain(`${server.url}/${page}\n`);
    expect(stdout).toMatch(new RegExp(`^  credentials +${join(dataDir, 'credentials.json')}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^  data +${dataDir}$`, 'm'));
  });

  it('prints no secret to a log or a pipe', () => {
    expect(server.output.stdout + server.output.stderr).not.toContain('lps_');
  });

  it('keeps the credentials in a file that only the user can read', async () => {
    const file = join(dataDir, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    const entry = (url: string, mode: string) => ({
      base_url: url,
      client_id: expect.stringMatching(/^client_\w{26}$/),
      client_secret: expect.stringMatching(new RegExp(`^lps_${mode}_[\\w-]{43}$`)),
    });
    // On a busy machine, the service listens before the sandbox is ready.
    await expect
      .poll(() => JSON.parse(readFileSync(file, 'utf8')))
      .toEqual({
        production: entry(`${server.url}/v1`, 'live'),
        sandbox: entry(`${server.url}/sandbox/v1`, 'test'),
      });
  });

  it('prints curl lines that work when pasted', async () => {
    const lines = server.output.stdout.match(/^ +(curl|CLIENT=|TOKEN=).*$/gm) ?? [];
    expect(await paste(...lines)).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('logs JSON lines to stderr, without secrets', async () => {
    await getToken(`${server.url}/v1`, credentialsOf(dataDir).production);
    // The service listens a moment before it says so.
    await expect.poll(server.log).toContainEqual(expect.objectContaining({ msg: 'Listening.' }));
    expect(server.output.stderr).not.toContain('lps_');
    expect(server.output.stdout).not.toContain('"level"');
  });

  it('a second start keeps the credentials and the data', async () => {
    const before = credentialsOf(dataDir);
    const token = await getToken(`${server.url}/v1`, before.production);
    const lead = { name: 'Ada', email: 'ada@example.com' };
    expect((await call(token, 'POST', `${server.url}/v1/leads`, lead)).status).toBe(201);
    const port = new URL(server.url).port;
    const pid = postmaster(dataDir) ?? 0;
    expect(await server.stop()).toBe(0);
    expect(isAlive(pid)).toBe(false);
    server = await startServer({ DATA_DIR: dataDir, PORT: port });
    expect(credentialsOf(dataDir)).toEqual(before);
    const { body } = await call(token, 'GET', `${server.url}/v1/leads?email=ada@example.com`);
    expect(body.data).toEqual([expect.objectContaining(lead)]);
  });

  it('a start replaces only credentials that are no longer valid', async () => {
    await server.stop();
    const { production, sandbox } = credentialsOf(dataDir);
    const changed = { production, sandbox: { ...sandbox, client_secret: 'lps_test_old' } };
    writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify(changed));
    server = await startServer({ DATA_DIR: dataDir });
    expect(credentialsOf(dataDir).production.client_id).toBe(production.client_id);
    expect(credentialsOf(dataDir).sandbox.client_id).not.toBe(sandbox.client_id);
    expect(await getToken(`${server.url}/sandbox/v1`, credentialsOf(dataDir).sandbox)).toBeTruthy();
  });

  it('a port in use is reported in one line, and the embedded server stops', async () => {
    await server.stop();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await failedStart({ DATA_DIR: dataDir, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{'));
    expect(lines).toEqual([`Port ${port} on 127.0.0.1 is already in use. Set PORT to another port.`]);
    expect(postmaster(dataDir)).toBeUndefined();
  });
});

describe('a wrong configuration', () => {
  it('is reported completely, before anything is created', async () => {
    const dataDir = newDataDir();
    const env = { DATA_DIR: dataDir, PORT: 'x', LOG_LEVEL: 'loud', HOST: '0.0.0.0', RATE_LIMIT_READ: '0' };
    const { code, stdout, stderr } = await failedStart(env);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const lines = stderr.trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
      'HOST',
      'LOG_LEVEL',
      'PORT',
      'RATE_LIMIT_READ',
    ]);
    expect(stderr).toContain('plain HTTP is served on loopback (127.0.0.1) only');
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe("on the operator's own PostgreSQL", () => {
  let env: External['env'];
  let server: RunningServer;

  beforeAll(async () => {
    ({ env } = await externalDatabases());
    for (const url of [env.DATABASE_URL, env.SANDBOX_DATABASE_URL]) {
      await query(url, 'drop schema public cascade; create schema public');
    }
    server = await startServer(env);
  });

  it('migrates, starts no embedded server, and prints how to create a client', async () => {
    expect(readdirSync(env.DATA_DIR)).toEqual([]);
    expect(server.output.stdout).toContain('npx lead-pipeline clients create --environment sandbox');
    expect(server.output.stdout).not.toContain('client_secret');
    for (const url of [env.DATABASE_URL, env.SANDBOX_DATABASE_URL]) {
      // The service starts with the first database that is ready.
      await expect.poll(() => query(url, 'select from leads').catch(String)).toEqual([]);
    }
    expect(await server.stop()).toBe(0);
    expect(await query(inject('serverUrl'), 'select 1 as up')).toEqual([{ up: 1 }]);
  });

  it('a SECRET_KEY that does not match the databases is reported in one line', async () => {
    const { code, stderr } = await failedStart({ ...env, SECRET_KEY: 'ab'.repeat(32) });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^SECRET_KEY does not decrypt the signing key in the database/);
    expect(stderr.trim()).not.toContain('\n');
  });

  it.each([
    [
      'an unreachable server',
      { port: '9' },
      /^The production database at [\w.]+:9\/\w+ can't be reached \(ECONNREFUSED\)\. Start it, or correct DATABASE_URL\.$/,
      '0',
    ],
    [
      'a wrong password',
      // The tests' own databases need no password.
      { pathname: '/postgres', password: 'wrong-one' },
      /^The production database at \S+ can't be used\. PostgreSQL says: password .+\. Check the user and the password in DATABASE_URL\.$/,
      '60',
    ],
    [
      'a missing database',
      { pathname: '/nowhere' },
      /^The production database at \S+\/nowhere can't be used\. PostgreSQL says: database "nowhere" does not exist\. Create it as .+$/,
      '60',
    ],
  ])('%s is reported', async (_, change, line, wait) => {
    const url = Object.assign(new URL(env.DATABASE_URL), change).href;
    const { code, stderr } = await failedStart({ ...env, DATABASE_URL: url, DATABASE_WAIT_SECONDS: wait });
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(line);
    expect(stderr).not.toContain('wrong-one');
  });
});

async function query(url: string, sql: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
