import { join } from 'node:path';
import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { migrateQueue } from './queue.ts';

export const migrations: Knex.MigratorConfig = {
  directory: join(import.meta.dirname, 'migrations'),
  stub: join(import.meta.dirname, 'migration.stub'),
  extension: 'ts',
  loadExtensions: ['.ts'],
};

/** Any number, the same in every process. */
const lock = 7_305_822_401;

/** The oldest major version whose SQL this is. */
const OLDEST = 15;

/** Long enough for another process to finish a slow migration. */
const patience = 30 * 60_000;

interface PgConnection {
  query(sql: string, done: (error: Error | undefined) => void): void;
}

/**
 * Migrations run on one connection that holds an advisory lock, which PostgreSQL frees when the connection ends,
 * however it ends. Knex's own lock, a row, outlives a killed process; who holds the advisory lock may clear it.
 */
export const migrationSettings = {
  migrations,
  acquireConnectionTimeout: patience,
  pool: {
    min: 0,
    max: 1,
    createTimeoutMillis: patience,
    afterCreate: (connection: PgConnection, done: (error: Error | undefined) => void) => {
      connection.query(
        `set statement_timeout = 0;
         set idle_in_transaction_session_timeout = 0;
         select pg_advisory_lock(${lock});
         do $$ begin
           if to_regclass('knex_migrations_lock') is not null then
             update knex_migrations_lock set is_locked = 0 where is_locked <> 0;
           end if;
         end $$`,
        done,
      );
    },
  },
} satisfies Knex.Config;

/** Brings the schema up to date; safe in any number of processes at once. Gives the migrations that it ran. */
export async function migrate(url: string): Promise<string[]> {
  const own = createKnex({ client: 'pg', connection: url, compileSqlOnError: false, ...migrationSettings });
  try {
    await checkVersion(own);
    await checkLetters(own);
    const [, names] = (await own.migrate.latest()) as [number, string[]];
    await migrateQueue(own);
    return names;
  } finally {
    await own.destroy();
  }
}

async function checkVersion(knex: Knex): Promise<void> {
  const { rows } = await knex.raw("select current_setting('server_version') as version");
  const version = String(rows[0]?.version);
  if (Number.parseInt(version, 10) >= OLDEST) return;
  throw new Error(`The PostgreSQL server has version ${version}; this service needs ${OLDEST} or newer.`);
}

/**
 * Emails are unique and words are found in any case, which is lower()'s to tell. What it knows is settled when a database
 * is made: in the locale C only ASCII, in a Turkish one that I is no capital i.
 */
async function checkLetters(knex: Knex): Promise<void> {
  const ask = async (sql: string): Promise<string> =>
    (await knex.raw(`select ${sql} as answer`)).rows[0].answer;
  const name = await ask('quote_ident(current_database())');
  const isUnicode = (await ask("current_setting('server_encoding')")) === 'UTF8';
  if (isUnicode && (await ask("lower('ÉЖI')")) === 'éжi') return;
  throw new Error(
    `The database ${name} does not know which letters are the same in upper and lower case (É and é, Ж and ж): ` +
      `make it anew with CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'.`,
  );
}

/** Creates the database if the server has none of that name; serverUrl names any database that exists. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [name]);
    // template0, because nobody can be connected to it, which would make the copy fail.
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)} template template0`);
  } catch (error) {
    const { code } = error as { code?: string };
    const madeMeanwhile = code === '42P04' || code === '23505';
    if (!madeMeanwhile) throw error;
  } finally {
    await client.end();
  }
}
