/** A data folder that a process uses is never removed, whatever has become of its database. */
import { chmodSync, chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import {
  cleanUp,
  cli,
  newDataDir,
  postmaster,
  preparedDataDir,
  run,
  startServer,
} from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

const inUse = (dataDir: string) => ({
  code: 1,
  stdout: '',
  stderr: `A service or a command is using ${dataDir}. Stop it first.\n`,
});

it("a running service's folder is not removed while its database is down, and is after a kill -9", async () => {
  const dataDir = preparedDataDir();
  const env = { DATA_DIR: dataDir };
  const server = await startServer(env);
  // A frozen process can't start PostgreSQL again.
  server.child.kill('SIGSTOP');
  process.kill(postmaster(dataDir) ?? 0, 'SIGKILL');
  expect(await cli(env, 'data', 'remove', '--yes')).toEqual(inUse(dataDir));
  server.child.kill('SIGCONT');
  await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), {
    timeout: 30_000,
  });
  server.child.kill('SIGKILL');
  await server.exited;
  await vi.waitFor(async () => expect(await cli(env, 'data', 'remove', '--yes')).toMatchObject({ code: 0 }), {
    timeout: 30_000,
  });
  expect(existsSync(dataDir)).toBe(false);
});

it('while data remove asks, neither a service nor a command opens the folder', async () => {
  const dataDir = preparedDataDir();
  const env = { DATA_DIR: dataDir, PORT: '0' };
  const command = `${process.execPath} src/cli.ts data remove`;
  const asking = run('script', ['-qec', command, '/dev/null'], env);
  await vi.waitFor(() => expect(asking.output.stdout).toContain('To go on, type '), { timeout: 30_000 });
  const refusal = `A command is removing or restoring the data in ${dataDir}. Wait until it has ended.\n`;
  for (const args of [['src/server.ts'], ['src/cli.ts', 'init'], ['src/cli.ts', 'migrate']]) {
    const other = run(process.execPath, args, env);
    expect([await other.exited, other.output.stderr]).toEqual([1, refusal]);
  }
  asking.child.stdin.write('no\n');
  expect(await asking.exited).toBe(1);
  expect((await cli(env, 'migrate')).code).toBe(0);
});

it.runIf(process.getuid?.() === 0)('root leaves the lock to the user of the service', async () => {
  const dataDir = newDataDir();
  chmodSync(dataDir, 0o755);
  chownSync(dataDir, 65_533, 65_533);
  expect((await cli({ DATA_DIR: dataDir }, 'init')).code).toBe(0);
  expect(statSync(join(dataDir, 'lock'))).toMatchObject({ uid: 65_533, gid: 65_533 });
  expect(readdirSync(dataDir)).toContain('lock');
});
