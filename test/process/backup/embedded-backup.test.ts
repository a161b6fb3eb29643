import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keepAdding, manifestOf, untilNamed } from '../../support/backups.ts';
import {
  cleanUp,
  cli,
  credentialsOf,
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
/** Leads that were acknowledged before the backup began, and when it had ended. */
let bounds: [number, number];

const backUp = (env: Record<string, string>, file: string) => cli(env, 'data', 'backup', file);
beforeAll(async () => {
  const env = { DATA_DIR: dataDir, RATE_LIMIT_WRITE: '1000000' };
  const server = await startServer(env);
  const baseUrl = `${server.url}/v1`;
  const writer = keepAdding(await getToken(baseUrl, credentialsOf(dataDir).production), baseUrl);
  await vi.waitFor(() => expect(writer.added()).toBeGreaterThan(20), { timeout: 30_000 });
  const before = writer.added();
  expect(await backUp(env, backup)).toMatchObject({ code: 0 });
  bounds = [before, writer.added()];
  await writer.stop();
  await server.stop();
});

it('a backup of a running service has everything acknowledged before, and only its owner can read it', () => {
  const { kind, environments } = manifestOf(backup);
  const { tables = {} } = environments.production ?? {};
  expect(kind).toBe('embedded');
  expect(bounds[1]).toBeGreaterThan(bounds[0]);
  expect(tables.leads).toBeGreaterThanOrEqual(bounds[0]);
  expect(tables.leads).toBeLessThanOrEqual(bounds[1]);
  expect(environments.sandbox?.tables.leads).toBe(0);
  expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(folder)).toEqual([basename(backup)]);
  expect(readdirSync(dataDir).sort()).toEqual([
    'credentials.json',
    'lock',
    'postgres',
    'postgres.log',
    'secret.key',
  ]);
});

it('a backup never replaces a file', async () => {
  const { mtimeMs } = statSync(backup);
  const { code, stderr } = await backUp({ DATA_DIR: dataDir }, backup);
  expect([code, stderr]).toEqual([
    1,
    `${backup} exists, and a backup never replaces a file. Name a new one.\n`,
  ]);
  expect(statSync(backup).mtimeMs).toBe(mtimeMs);
});

it.each([
  [
    'in a folder that is missing',
    join(folder, 'none', 'a'),
    /^The folder \S+\/none doesn't exist\. Create it first\.\n$/,
  ],
  ['where nothing can be written', '/proc/a.backup', /can't be (written|opened|created)/],
  ['without a name', '', /^A backup is a file\. Give it a name\.\n$/],
])('a backup %s fails, and leaves nothing', async (_what, file, why) => {
  const { code, stderr } = await backUp({ DATA_DIR: dataDir }, file);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(why);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.copy-'))).toEqual([]);
});

it('a backup in a folder without a database fails, and creates none', async () => {
  const empty = newDataDir();
  const { code, stderr } = await backUp({ DATA_DIR: empty }, join(folder, 'empty.backup'));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^There is no database in /)]);
  expect(readdirSync(empty)).toEqual([]);
  expect(existsSync(join(folder, 'empty.backup'))).toBe(false);
});

it("a backup with a secret.key that doesn't belong to the database is not made", async () => {
  const env = { DATA_DIR: dataDir };
  renameSync(join(dataDir, 'secret.key'), join(folder, 'key'));
  writeFileSync(join(dataDir, 'secret.key'), randomBytes(32).toString('base64'));
  const { code, stderr } = await backUp(env, join(folder, 'foreign.backup'));
  renameSync(join(folder, 'key'), join(dataDir, 'secret.key'));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/does not decrypt the signing key/)]);
  expect(existsSync(join(folder, 'foreign.backup'))).toBe(false);
});

it.each(['SIGINT', 'SIGKILL'] as const)(
  'a backup that %s interrupts leaves no file of its name',
  async (signal) => {
    const [place, file] = [newDataDir(), 'interrupted.backup'];
    for (const [where, name] of [
      [dataDir, /^postgres\.copy-/],
      [place, /\.part$/],
    ] as const) {
      const started = run(process.execPath, ['src/cli.ts', 'data', 'backup', join(place, file)], {
        DATA_DIR: dataDir,
      });
      await untilNamed(where, name);
      started.child.kill(signal);
      expect(await started.exited).toBe(signal === 'SIGINT' ? 130 : null);
      expect(readdirSync(place)).not.toContain(file);
      if (signal === 'SIGINT') expect(readdirSync(place)).toEqual([]);
    }
    // PostgreSQL ends a moment after the process that started it.
    await vi.waitFor(
      async () => expect(await backUp({ DATA_DIR: dataDir }, join(place, file))).toMatchObject({ code: 0 }),
      { timeout: 60_000 },
    );
    expect(readdirSync(place)).toEqual([file]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.copy-'))).toEqual([]);
  },
);
