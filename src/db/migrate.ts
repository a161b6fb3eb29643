import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { placeOf } from '../config-values.ts';
import type { Environment } from '../environment.ts';
import type { Report } from './advisory-lock.ts';
import { isDeadlock, isLockTimeout } from './errors.ts';
import { type Inspection, inspect } from './inspect.ts';
import { checkLabel, labelNew } from './label.ts';
import { findNames, migrationSettings, openKnex } from './migration-settings.ts';
import type { Route } from './pool/route.ts';
import { checkPrivileges } from './privileges.ts';

/** Oldest supported major version of PostgreSQL. */
const MIN_VERSION = 15;

/** While a table is in use. */
const TABLE_RETRY = 500;
const MAX_TRIES = 60;

/**
 * Brings the schema of an environment's database up to date, and labels an empty database first. Safe in concurrent processes.
 * Returns the migrations it ran.
 */
export async function migrate(url: string, environment: Environment, report?: Report): Promise<string[]> {
  const db = openKnex(url, migrationSettings(report));
  try {
    await prepareDatabase(db, url, environment);
    return await runPending(db);
  } finally {
    await db.destroy();
  }
}

/** Labels an empty database. Throws an Error that says what to do if the schema of this version can't be there. */
export async function prepareDatabase(db: Knex, url: string, environment: Environment): Promise<void> {
  await checkVersion(db);
  await checkPrivileges(db);
  const found = await inspectLabelled(db, url, environment);
  await checkLocale(db);
  if (found.label === undefined) await labelNew(db, environment, found);
}

/**
 * Migrates through the direct URL, because migrations need a session, which a pooler doesn't give. Without a direct URL, throws
 * an Error that says what to do unless the schema is up to date.
 */
export async function migrateBy(
  { url, directUrl }: Route,
  environment: Environment,
  report?: Report,
): Promise<string[]> {
  if (directUrl !== undefined) return migrate(directUrl, environment, report);
  const missing = await findMissing(url, environment);
  if (missing === 0) return [];
  throw needsDirectUrl(missing);
}

export function needsDirectUrl(missing?: number): Error {
  const what = missing === undefined ? 'Migrations' : `The database lacks ${missing} migrations, which`;
  return new Error(
    `${what} can't run through a pooler: set DATABASE_DIRECT_URL and SANDBOX_DATABASE_DIRECT_URL to the addresses of ` +
      'PostgreSQL itself.',
  );
}

/** How many migrations of this version an environment's database lacks. */
async function findMissing(url: string, environment: Environment): Promise<number> {
  const db = openKnex(url, { pool: { min: 0, max: 1 } });
  try {
    return missingIn(await inspectLabelled(db, url, environment), await findNames()).length;
  } finally {
    await db.destroy();
  }
}

/** Throws an Error that says what to do if the database is not the environment's. */
export async function inspectLabelled(db: Knex, url: string, environment: Environment): Promise<Inspection> {
  const found = await inspectBy(db);
  checkLabel(found, environment, placeOf(url));
  return found;
}

export function inspectBy(db: Knex): Promise<Inspection> {
  return inspect({ query: ({ text }) => db.raw(text) });
}

/** Those of the migrations that the database lacks. */
export function missingIn({ migrations: done }: Pick<Inspection, 'migrations'>, names: readonly string[]) {
  return names.filter((name) => !done.includes(name));
}

/** Returns the migrations that it ran. Ignores those of a newer version, which may be running during an upgrade. */
async function runPending(db: Knex): Promise<string[]> {
  const names = await findNames();
  const missing = missingIn(await inspectBy(db), names);
  if (missing.length === 0) return [];
  // Knex's own lock, a row, survives a killed process. The holder of the advisory lock may clear it.
  await db.migrate.forceFreeMigrationsLock();
  await whenFree(() => db.migrate.latest());
  return missing;
}

/** Repeats a task while a table is in use. Each migration is a transaction, so a repeat continues after the last one done. */
async function whenFree(task: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await task();
      return;
    } catch (error) {
      const isInUse = isDeadlock(error) || isLockTimeout(error);
      if (!isInUse || tries === MAX_TRIES) throw error;
      await sleep(TABLE_RETRY);
    }
  }
}

export async function checkVersion(knex: Knex): Promise<void> {
  const { rows } = await knex.raw("select current_setting('server_version') as version");
  const version = String(rows[0]?.version);
  if (Number.parseInt(version, 10) >= MIN_VERSION) return;
  throw new Error(
    `The PostgreSQL server has version ${version}; this service requires ${MIN_VERSION} or later.`,
  );
}

/**
 * Unique emails and search ignore case, which relies on lower(). Its behavior is fixed when a database is created: the locale C
 * only maps ASCII, and a Turkish one doesn't map I to i.
 */
export async function checkLocale(knex: Knex): Promise<void> {
  const queryValue = async (sql: string): Promise<string> =>
    (await knex.raw(`select ${sql} as value`)).rows[0].value;
  const name = await queryValue('quote_ident(current_database())');
  const isUnicode = (await queryValue("current_setting('server_encoding')")) === 'UTF8';
  if (isUnicode && (await queryValue("lower('ÉЖI')")) === 'éжi') return;
  throw new Error(
    `The database ${name} does not map upper to lower case in every language (É to é, Ж to ж): ` +
      `recreate it with CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'.`,
  );
}

/** Creates the database if it does not exist. `serverUrl` is the URL of any existing database of the server. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  if (await databaseExists(serverUrl, name)) return;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    // template0, because it accepts no connections; copying a database with open connections fails.
    await client.query(`create database ${client.escapeIdentifier(name)} template template0`);
  } catch (error) {
    const { code } = error as { code?: string };
    const createdConcurrently = code === '42P04' || code === '23505';
    if (!createdConcurrently) throw error;
  } finally {
    await client.end();
  }
}

export async function databaseExists(serverUrl: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
  } finally {
    await client.end();
  }
}
