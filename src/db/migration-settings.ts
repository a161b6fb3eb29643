import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import createKnex, { type Knex } from 'knex';
import type pg from 'pg';
import { type Report, takeLock } from './advisory-lock.ts';

const directory = join(import.meta.dirname, 'migrations');

/** For making a migration. Knex ignores a migrationSource beside them. */
export const newMigrations: Knex.MigratorConfig = {
  directory,
  stub: join(import.meta.dirname, 'migration.stub'),
  extension: 'ts',
};

/** The names of all migrations of this version, in their order. */
export async function findNames(): Promise<string[]> {
  return (await readdir(directory)).sort();
}

/** The baseline has no `down`. */
export async function loadMigration(name: string): Promise<Knex.Migration> {
  return import(pathToFileURL(join(directory, name)).href);
}

/** Knex requires a `down` of every migration. Its own rollback would pass our guards. */
function refuse(): never {
  throw new Error(
    'Knex rolls nothing back. Run: npm run migrate:rollback -- --environment ENVIRONMENT --to RELEASE',
  );
}

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: findNames,
  getMigrationName: (name) => name,
  getMigration: async (name) => ({ ...(await loadMigration(name)), down: refuse }),
};

/** Advisory lock id. Arbitrary, but the same in every process. */
const LOCK = 7_305_822_401;

/** Milliseconds. Long enough for another process to finish a slow migration. */
const LOCK_TIMEOUT = 30 * 60_000;

/**
 * Milliseconds. While a migration waits for a table in use, everyone else waits behind it. So it gives up soon and tries
 * again.
 */
const TABLE_TIMEOUT = 2_000;

/**
 * Migrations run on a single connection that holds an advisory lock, which PostgreSQL releases when the connection ends
 * for any reason.
 */
export function migrationSettings(report: Report = () => undefined) {
  return {
    migrations: { migrationSource },
    acquireConnectionTimeout: LOCK_TIMEOUT,
    pool: {
      min: 0,
      max: 1,
      createTimeoutMillis: LOCK_TIMEOUT,
      afterCreate: (connection: pg.Client, done: (error?: unknown) => void) => {
        prepare(connection, report).then(
          () => done(),
          // Knex forgets a connection that fails here. It would stay open, with the lock.
          (error: unknown) => connection.end(() => done(error)),
        );
      },
    },
  } satisfies Knex.Config;
}

async function prepare(connection: pg.Client, report: Report): Promise<void> {
  await connection.query(`
    set application_name = 'lead-pipeline-api migration';
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = 0`);
  await takeLock(connection, LOCK, { task: 'is migrating this database', limit: LOCK_TIMEOUT, report });
  await connection.query(`set lock_timeout = ${TABLE_TIMEOUT}`);
}

/** Knex with errors as PostgreSQL words them: Knex puts its query before the message, and prints both. */
export function openKnex(connection: string, settings: Knex.Config): Knex {
  const log = { warn: () => undefined, error: () => undefined };
  const db = createKnex({ client: 'pg', connection, compileSqlOnError: false, log, ...settings });
  return db.on('query-error', (error: Error, { sql }: Knex.Sql) => {
    const prefix = `${sql} - `;
    if (error.message.startsWith(prefix)) error.message = error.message.slice(prefix.length);
  });
}
