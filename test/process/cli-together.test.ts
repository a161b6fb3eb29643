/** Commands that run at the same time while the service is stopped: one of them starts the database server for all. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { startEmbedded } from '../../src/embedded-postgres/server.ts';
import {
  cleanUp,
  cli,
  cliJson,
  credentialsOf,
  postmaster,
  preparedDataDir,
  run,
  startServer,
  withoutDatabases,
} from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

const production = ['--environment', 'production'];

/** A command that asks, and so lasts until `finish` answers. Only its questions and messages are on the terminal. */
function startReset(dataDir: string, name: string) {
  const report = join(dataDir, name);
  const command = `'${process.execPath}' src/cli.ts sandbox reset > '${report}'`;
  const { child, output, exited } = run('script', ['-qec', command, '/dev/null'], { DATA_DIR: dataDir });
  const screen = () => withoutDatabases(output.stdout.replaceAll('\r', ''));
  const finish = async () => {
    await vi.waitFor(() => expect(screen()).toContain('To go on, type sandbox: '), 30_000);
    child.stdin.write('sandbox\n');
  };
  return { child, exited, screen, finish, report: () => readFileSync(report, 'utf8') };
}

it('the command that started the server prints its report, and stops the server once the others have ended', async () => {
  const dataDir = preparedDataDir();
  const { url } = JSON.parse(
    (await cli({ DATA_DIR: dataDir }, 'data', 'url', ...production, '--json')).stdout,
  );
  const running = async () => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      const held = "select 1 from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted";
      return (await client.query(held)).rowCount;
    } catch {
      return 0;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const first = startReset(dataDir, 'first');
  await vi.waitFor(async () => expect(await running()).toBe(1), 30_000);
  const second = startReset(dataDir, 'second');
  await vi.waitFor(async () => expect(await running()).toBe(2), 30_000);

  await first.finish();
  await vi.waitFor(() => expect(first.report()).toMatch(/^The sandbox is empty/), 30_000);
  expect(first.child.exitCode).toBeNull();
  const waiting =
    /^Waiting\. Another process is using the embedded PostgreSQL that this command started: pid \d+ of PostgreSQL, .*\.\n$/m;
  await vi.waitFor(() => expect(first.screen()).toMatch(waiting), 10_000);
  // A command that starts while the first one waits uses this server or the next one.
  const third = cli({ DATA_DIR: dataDir }, 'clients', 'list', ...production);
  await second.finish();
  expect(await Promise.all([first.exited, second.exited])).toEqual([0, 0]);
  expect(second.screen()).not.toContain('Waiting');
  expect(await third).toEqual({ code: 0, stdout: 'API clients: none.\n', stderr: '' });
  expect(postmaster(dataDir)).toBeUndefined();
});

it('a command says that it waits for a server that is stopping, and then starts it again', async () => {
  const dataDir = preparedDataDir();
  const server = await startEmbedded(dataDir);
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  // It stops when the last client has left.
  process.kill(postmaster(dataDir) ?? 0, 'SIGTERM');
  const args = ['src/cli.ts', 'clients', 'list', ...production];
  const { output, exited } = run(process.execPath, args, { DATA_DIR: dataDir });
  const waiting = /^Waiting for the embedded PostgreSQL \(pid \d+\), which is starting or stopping, /;
  await vi.waitFor(() => expect(output.stderr).toMatch(waiting), 30_000);
  await client.end();
  expect(await exited).toBe(0);
  expect(output.stdout).toBe('API clients: none.\n');
  await server.stop();
});

it('five concurrent commands succeed, and leave no server running', async () => {
  const dataDir = preparedDataDir();
  const list = () => cli({ DATA_DIR: dataDir }, 'clients', 'list', ...production);
  const results = await Promise.all(Array.from({ length: 5 }, list));
  expect(results).toEqual(results.map(() => ({ code: 0, stdout: 'API clients: none.\n', stderr: '' })));
  expect(postmaster(dataDir)).toBeUndefined();
});

it('of concurrent rotations of the signing keys, one succeeds, and the others say so', async () => {
  const env = { DATA_DIR: preparedDataDir() };
  // The first start creates the first key.
  await (await startServer(env)).stop();
  const rotate = () => cli(env, 'signing-keys', 'rotate', ...production, '--json');
  const rotations = await Promise.all([rotate(), rotate(), rotate()]);
  const failed = rotations.filter(({ code }) => code === 1);
  expect(rotations.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(failed).toHaveLength(2);
  for (const { stderr } of failed)
    expect(stderr).toMatch(/^The signing key was replaced at \S+Z, after this command had started: /);
  expect((await rotate()).code).toBe(0);
});

it('of concurrent rotations one succeeds, the others say so, and credentials.json has its secret', async () => {
  const dataDir = preparedDataDir();
  const env = { DATA_DIR: dataDir };
  const client = await cliJson(env, 'clients', 'create', ...production, '--name', 'First client');
  const { client_id = '', client_secret = '' } = client;
  const file = join(dataDir, 'credentials.json');
  writeFileSync(
    file,
    JSON.stringify({ production: { base_url: 'http://localhost', client_id, client_secret } }),
  );
  const rotate = () => cli(env, 'clients', 'rotate-secret', client_id, ...production, '--json');
  const rotations = await Promise.all([rotate(), rotate(), rotate()]);
  const done = rotations.filter(({ code }) => code === 0);
  expect(done).toHaveLength(1);
  for (const { code, stdout, stderr } of rotations.filter((rotation) => !done.includes(rotation))) {
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The client was changed at \S+Z, after this command had started: .+, repeat the command\.\n$/,
    );
  }
  const kept = credentialsOf(dataDir).production.client_secret;
  expect(JSON.parse(done[0]?.stdout ?? '').client_secret).toBe(kept);
  // A start would replace invalid credentials.
  const server = await startServer(env);
  expect(credentialsOf(dataDir).production).toMatchObject({ client_id, client_secret: kept });
  await server.stop();
});
