/** Only a start and `init` create a database. Every other command says what to do instead. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';
import {
  cleanUp,
  cli,
  externalDatabases,
  failedStart,
  newDataDir,
  preparedDataDir,
} from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

const sandbox = ['--environment', 'sandbox'];

describe('a command without a database creates none', () => {
  it.each([
    ['clients create', ['clients', 'create', ...sandbox, '--name', 'Early bird']],
    ['data url', ['data', 'url', ...sandbox]],
    ['signing-keys rotate', ['signing-keys', 'rotate', ...sandbox]],
    ['migrate', ['migrate']],
    ['migrate:rollback', ['migrate:rollback', ...sandbox, '--to', '1.0.0']],
    ['credentials', ['credentials']],
    ['data remove', ['data', 'remove', '--yes']],
    ['counters verify', ['counters', 'verify', ...sandbox]],
    ['sandbox seed', ['sandbox', 'seed', '--leads', '1']],
  ])('in an empty folder: %s', async (_, args) => {
    const dataDir = newDataDir();
    expect(await cli({ DATA_DIR: dataDir }, ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `There is no database in ${dataDir}. Run the command in the folder of your service, or set DATA_DIR to its data folder. ` +
        'Only npm start and npx lead-pipeline init create a database.\n',
    });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('in a folder that does not exist', async () => {
    const dataDir = join(newDataDir(), 'misspelt');
    const { code, stderr } = await cli({ DATA_DIR: dataDir }, 'clients', 'list', ...sandbox);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no database in \S+misspelt\. [^\n]+\n$/);
    expect(existsSync(dataDir)).toBe(false);
  });

  it("and no tables in the operator's own PostgreSQL", async () => {
    const empty = await createEmptyDatabase();
    const { env } = await externalDatabases();
    const there = { ...env, SANDBOX_DATABASE_URL: empty.url };
    const { code, stderr } = await cli(there, 'clients', 'list', ...sandbox);
    const { rows } = await empty.knex.raw("select 1 from pg_tables where schemaname = 'public'");
    await empty.drop();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The sandbox database lacks \d+ migrations of this version\. Run npx lead-pipeline migrate first, or start the service\.\n$/,
    );
    expect(rows).toEqual([]);
  });
});

describe('a folder that can not hold a database is rejected', () => {
  it.runIf(process.platform === 'linux').each(['/proc/lead-pipeline', '/proc/lead-pipeline/data'])(
    '%s',
    async (dataDir) => {
      const start = await failedStart({ DATA_DIR: dataDir });
      expect([start.code, start.stdout]).toEqual([1, '']);
      expect(start.stderr).toMatch(
        /^DATA_DIR is \S+, but the folder \/proc\/lead-pipeline can't be created \(no such file or directory\): set .+\n$/,
      );
      expect((await cli({ DATA_DIR: dataDir }, 'data', 'url', ...sandbox)).code).toBe(1);
    },
  );
});

describe('a database without its secret.key', () => {
  const remedy = (dataDir: string) =>
    `${dataDir}/secret.key is missing, and the database in ${dataDir}/postgres was made with it. Restore the file ` +
    'from your backup, or set SECRET_KEY to what it contained.\n';

  it('does not start, and gets no new key', async () => {
    const dataDir = preparedDataDir();
    rmSync(join(dataDir, 'secret.key'));
    const { code, stdout, stderr } = await failedStart({ DATA_DIR: dataDir });
    expect([code, stdout, stderr]).toEqual([1, '', remedy(dataDir)]);
    expect(await cli({ DATA_DIR: dataDir }, 'signing-keys', 'rotate', ...sandbox)).toEqual({
      code: 1,
      stdout: '',
      stderr: remedy(dataDir),
    });
    expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
  });

  it('uses the key from SECRET_KEY', async () => {
    const dataDir = preparedDataDir();
    rmSync(join(dataDir, 'secret.key'));
    const env = { DATA_DIR: dataDir, SECRET_KEY: 'ab'.repeat(32) };
    expect((await cli(env, 'signing-keys', 'rotate', ...sandbox)).code).toBe(0);
    expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
  });

  it('is not confused with an empty folder named postgres', async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, 'postgres'));
    const { code, stderr } = await failedStart({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(stderr).not.toContain('secret.key');
  });
});
