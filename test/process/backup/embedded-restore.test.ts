/** `data restore` with the embedded PostgreSQL. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { countLeads, cutShort, damage, untilNamed } from '../../support/backups.ts';
import {
  call,
  cleanUp,
  cli,
  credentialsOf,
  failedStart,
  getToken,
  newDataDir,
  preparedDataDir,
  run,
  startServer,
} from '../../support/process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
afterAll(cleanUp);

const folder = newDataDir();
const backup = join(folder, 'leads.backup');
const dataDir = preparedDataDir();
const restore = (env: { DATA_DIR: string }, file: string, ...options: string[]) =>
  cli(env, 'data', 'restore', file, '--yes', '--folder', basename(env.DATA_DIR), ...options);

beforeAll(async () => {
  const env = { DATA_DIR: dataDir };
  const server = await startServer(env);
  const baseUrl = `${server.url}/v1`;
  const token = await getToken(baseUrl, credentialsOf(dataDir).production);
  await call(token, 'POST', `${baseUrl}/leads`, { name: 'Ada', email: 'ada@example.com' });
  expect(await cli(env, 'data', 'backup', backup)).toMatchObject({ code: 0 });
  await server.stop();
});

it('a restore makes a folder in which a service has the leads, the clients and the key of the original', async () => {
  const env = { DATA_DIR: join(newDataDir(), 'copy') };
  const { code, stderr } = await restore(env, backup);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('docs/backup.md');
  expect(stderr).toContain('data adopt');
  const server = await startServer(env);
  const baseUrl = `${server.url}/v1`;
  const token = await getToken(baseUrl, credentialsOf(dataDir).production);
  expect(await countLeads(token, baseUrl)).toBe(1);
  await expect.poll(() => server.output.stderr).toContain('is a copy');
  await server.stop();
  const adopted = await cli(
    env,
    ...['data', 'adopt', '--environment', 'production', '--yes', '--database', 'lead_pipeline_production'],
  );
  expect(adopted).toMatchObject({ code: 0, stdout: expect.stringContaining('is adopted') });
});

it('a restore keeps the former data, and says where', async () => {
  const env = { DATA_DIR: preparedDataDir() };
  const create = ['clients', 'create', '--environment', 'production', '--name', 'Former'];
  await cli(env, ...create);
  const { code, stdout, stderr } = await restore(env, backup);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(`Restored ${backup}`);
  const [, kept = ''] =
    /The former data are kept in (\S+)\. When you no longer need them: rm -r \1\n/.exec(stderr) ?? [];
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  const former = join(newDataDir(), 'former');
  renameSync(kept, former);
  const list = ['clients', 'list', '--environment', 'production'];
  expect((await cli({ DATA_DIR: former }, ...list)).stdout).toContain('Former');
  expect((await cli(env, ...list)).stdout).not.toContain('Former');
});

it('a restore shows the numbers first, and asks for the name of the folder', async () => {
  const env = { DATA_DIR: preparedDataDir() };
  const asked = await cli(env, 'data', 'restore', backup);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(
    /^ {2}table +production, now +sandbox, now +production, backup +sandbox, backup$/m,
  );
  expect(asked.stderr).toMatch(/^ {2}leads +0 +0 +1 +0$/m);
  const wrong = await cli(env, 'data', 'restore', backup, '--yes', '--folder', 'another');
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/is called \S+, not another\. Nothing was changed/),
  ]);
  expect(readdirSync(env.DATA_DIR).sort()).toEqual(['lock', 'postgres', 'postgres.log', 'secret.key']);
});

it('a restore is refused while a service uses the folder', async () => {
  const env = { DATA_DIR: preparedDataDir() };
  const server = await startServer(env);
  expect(await restore(env, backup)).toMatchObject({
    code: 1,
    stderr: `A service or a command is using ${env.DATA_DIR}. Stop it first.\n`,
  });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.stop();
});

it.each([
  ['is cut short', cutShort, /is damaged, incomplete, or not a backup/],
  ['has a wrong byte', damage, /is damaged, incomplete, or not a backup|failed/],
  ['is something else', (file: string) => writeFileSync(file, 'id,name\n'), /not a backup/],
  ['is missing', (file: string) => rmSync(file), /is not a file/],
  ['is an archive of something else', packSomething, /has no manifest\.json/],
])('a restore of a file that %s changes nothing', async (_what, spoil, why) => {
  const env = { DATA_DIR: preparedDataDir() };
  const before = readdirSync(env.DATA_DIR);
  const file = join(newDataDir(), 'spoilt.backup');
  copyFileSync(backup, file);
  spoil(file);
  const { code, stderr } = await restore(env, file);
  expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  expect(readdirSync(env.DATA_DIR).filter((name) => name !== 'lock')).toEqual(before);
});

it('a restore with another SECRET_KEY than that of the backup changes nothing', async () => {
  const env = { DATA_DIR: preparedDataDir(), SECRET_KEY: randomBytes(32).toString('base64') };
  const { code, stderr } = await restore(env, backup);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/made with another secret key .+ Unset SECRET_KEY/),
  ]);
  expect(readdirSync(env.DATA_DIR)).not.toContain('credentials.json');
});

it('a restore that was killed halfway is repeated, and until then no start makes an empty database', async () => {
  const env = { DATA_DIR: preparedDataDir() };
  // As if it was killed between its two moves.
  mkdirSync(join(env.DATA_DIR, 'before-restore-20261127000000'));
  renameSync(join(env.DATA_DIR, 'postgres'), join(env.DATA_DIR, 'before-restore-20261127000000/postgres'));
  for (const { code, stderr } of [await failedStart(env), await cli(env, 'init'), await cli(env, 'migrate')])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^\S+ has the folder before-restore-\S+, but no database/),
    ]);
  expect(await restore(env, backup)).toMatchObject({ code: 0 });
  expect((await cli(env, 'clients', 'list', '--environment', 'production')).code).toBe(0);
});

it('a restore that SIGKILL interrupts leaves the former data in use', async () => {
  const env = { DATA_DIR: preparedDataDir() };
  const args = ['src/cli.ts', 'data', 'restore', backup, '--yes', '--folder', basename(env.DATA_DIR)];
  const started = run(process.execPath, args, env);
  await untilNamed(env.DATA_DIR, /^postgres\.copy-/);
  started.child.kill('SIGKILL');
  await started.exited;
  const server = await startServer(env);
  const response = await call('none', 'GET', `${server.url}/readyz`);
  expect(response.status).toBe(200);
  await server.stop();
  expect(await restore(env, backup)).toMatchObject({ code: 0 });
  expect(readdirSync(env.DATA_DIR).filter((name) => name.startsWith('postgres.copy-'))).toEqual([]);
});

function packSomething(file: string): void {
  const other = newDataDir();
  writeFileSync(join(other, 'notes'), '');
  execFileSync('tar', ['-czf', file, '-C', other, 'notes']);
}
