import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { inject } from 'vitest';
import { ensureDatabase } from '../../src/db/migrate.ts';
import { migrationSettings } from '../../src/db/migration-settings.ts';
import { types } from '../../src/db/pool/types.ts';
import type { Environment } from '../../src/environment.ts';
import { labelOriginal, TEMPLATE } from '../global-setup.ts';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * A new, migrated, empty database. Its files are copied, because by default PostgreSQL would write all of them
 * through shared memory.
 */
export async function createTestDatabase(environment: Environment = 'production'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  await labelOriginal(databaseUrl(name), environment);
  return { url: databaseUrl(name), drop: () => run(`drop database if exists ${name} with (force)`) };
}

/** A copy of a database, as a restored dump is: it has the label, and is elsewhere. Ends the original's connections. */
export async function copyDatabase(original: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const source = new URL(original).pathname.slice(1);
  await run(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${source}'`);
  await run(`create database ${name} template ${source} strategy file_copy`);
  return { url: databaseUrl(name), drop: () => run(`drop database if exists ${name} with (force)`) };
}

/**
 * Gives DATA_DIR an embedded server with both databases, empty, and a key. With TEST_DATABASE_URL, the first start
 * creates them instead.
 */
export function copyCluster(dataDir: string): boolean {
  const cluster = inject('cluster');
  if (cluster === undefined) return false;
  execFileSync('cp', ['-a', cluster, join(dataDir, 'postgres')]);
  writeFileSync(join(dataDir, 'secret.key'), randomBytes(32).toString('base64'), { mode: 0o600 });
  return true;
}

/** A new database without tables, and a Knex that migrates it. */
export async function createEmptyDatabase(): Promise<TestDatabase & { knex: Knex }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = databaseUrl(name);
  await ensureDatabase(inject('serverUrl'), name);
  const knex = createKnex({
    client: 'pg',
    connection: { connectionString: url, types },
    ...migrationSettings(),
  });
  return {
    url,
    knex,
    async drop() {
      await knex.destroy();
      await run(`drop database ${name}`);
    },
  };
}

function databaseUrl(name: string): string {
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

let admin: pg.Pool | undefined;

/** Uses connections that the test files of one worker share. */
async function run(sql: string): Promise<void> {
  admin ??= new pg.Pool({ connectionString: inject('serverUrl'), max: 2, allowExitOnIdle: true });
  await admin.query(sql);
}
