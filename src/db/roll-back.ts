import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Environment } from '../environment.ts';
import { describeSession, type Report, type Session, sessionColumns } from './advisory-lock.ts';
import { inspectLabelled, needsDirectUrl } from './migrate.ts';
import { findNames, loadMigration, migrationSettings, openKnex } from './migration-settings.ts';
import type { Route } from './pool/route.ts';
import { migrationsAfter, releases } from './releases.ts';

export interface Loss {
  what: string;
  /** Of a table: all of its rows. Of a column: those with a value. */
  rows: number;
}

interface RollbackPlan {
  /** The database's name, as the database itself says it. */
  name: string;
  /** Newest first. */
  migrations: string[];
  losses: Loss[];
}

interface RollbackOptions {
  environment: Environment;
  /** The release to go back to. */
  to: string;
  /** Throws to change nothing. */
  confirm(plan: RollbackPlan): Promise<void>;
  report: Report;
}

/** How long a session may take to end after its process has. Milliseconds. */
const PATIENCE = 2_000;
const POLL_INTERVAL = 100;

/**
 * Rolls the schema back to a release, as a whole or not at all, and returns the migrations that it rolled back. No other
 * process can migrate meanwhile.
 */
export async function rollBack(
  { directUrl }: Route,
  { environment, to, confirm, report }: RollbackOptions,
): Promise<string[]> {
  if (directUrl === undefined) throw needsDirectUrl();
  const db = openKnex(directUrl, migrationSettings(report));
  try {
    const { name, migrations: done } = await inspectLabelled(db, directUrl, environment);
    const migrations = await findUndone(done, to);
    if (migrations.length === 0) return [];
    await refuseWhileInUse(db, name);
    await confirm({ name, migrations, losses: await findLosses(db, migrations) });
    // Somebody may have started the service meanwhile.
    await refuseWhileInUse(db, name);
    await db.transaction((trx) => undo(trx, migrations));
    return migrations;
  } finally {
    await db.destroy();
  }
}

/** The migrations to roll back, newest first. */
async function findUndone(done: readonly string[], to: string): Promise<string[]> {
  const undone = migrationsAfter(to, done);
  if (undone === undefined) {
    const known = releases.map(({ version }) => version).join(', ');
    throw new Error(`There is no release ${to} to go back to. Those that there are: ${known}.`);
  }
  const names = await findNames();
  const unknown = done.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database has migrations of a newer version: ${unknown.join(', ')}. Roll it back with that version.`,
    );
  }
  return undone;
}

/** Behind a pooler that keeps its connections, the pooler itself is a session. */
async function refuseWhileInUse(db: Knex, name: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE; ; await sleep(POLL_INTERVAL)) {
    const { rows } = await db.raw<{ rows: Session[] }>(
      `select ${sessionColumns} from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
         and leader_pid is null
       order by pid`,
    );
    if (rows.length === 0) return;
    if (performance.now() < deadline) continue;
    const sessions = rows.map((session) => `  ${describeSession(session)}\n`);
    throw new Error(
      `The database ${name} is in use, so nothing was rolled back:\n${sessions.join('')}` +
        'Stop all processes of the service first, and what else uses the database. A pooler keeps connections of stopped ' +
        'processes, and of this command: set DATABASE_URL and SANDBOX_DATABASE_URL to the addresses of PostgreSQL itself, ' +
        'and run RECONNECT in the console of PgBouncer.',
    );
  }
}

/** Rolls back, and forgets that the migrations have run. */
async function undo(trx: Knex.Transaction, migrations: readonly string[]): Promise<void> {
  for (const name of migrations) {
    const { down } = await loadMigration(name);
    if (typeof down !== 'function')
      throw new Error(`The migration ${name} can't be rolled back: it has no down().`);
    await down(trx);
    await trx('knex_migrations').where({ name }).delete();
  }
}

interface Column {
  table: string;
  column: string;
}

const columns = `
  select relname::text as table, attname::text as column
  from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = to_regnamespace(quote_ident(current_schema())) and relkind in ('r', 'p') and not relispartition
    and attnum > 0 and not attisdropped and relname !~ '^knex_migrations'
  order by relname, attnum`;

/** Rows that a migration changes or deletes in the current transaction, in tables that stay. */
const changed = `
  select relname::text as table, n_tup_upd::int as updated, n_tup_del::int as deleted
  from pg_stat_xact_user_tables
  where (n_tup_upd > 0 or n_tup_del > 0) and relname !~ '^knex_migrations' and schemaname = current_schema()
  order by relname`;

interface Change {
  table: string;
  updated: number;
  deleted: number;
}

/** What a rollback would delete. Rolls back in a transaction, which it aborts: only the migrations themselves know. */
async function findLosses(db: Knex, migrations: readonly string[]): Promise<Loss[]> {
  const before = (await db.raw<{ rows: Column[] }>(columns)).rows;
  const rehearsal = await db.transaction();
  let after: Column[];
  let changes: Change[];
  try {
    await undo(rehearsal, migrations);
    after = (await rehearsal.raw<{ rows: Column[] }>(columns)).rows;
    changes = (await rehearsal.raw<{ rows: Change[] }>(changed)).rows;
  } finally {
    await rehearsal.rollback();
  }
  const tables = new Set(after.map(({ table }) => table));
  const kept = new Set(after.map(({ table, column }) => `${table}.${column}`));
  const losses: Loss[] = [];
  for (const table of new Set(before.map((one) => one.table))) {
    if (!tables.has(table)) losses.push({ what: `table ${table}`, rows: await count(db, table) });
  }
  for (const { table, column } of before) {
    if (tables.has(table) && !kept.has(`${table}.${column}`))
      losses.push({ what: `column ${table}.${column}`, rows: await count(db, table, column) });
  }
  for (const { table, updated, deleted } of changes.filter((change) => tables.has(change.table))) {
    if (deleted > 0) losses.push({ what: `rows of ${table}`, rows: deleted });
    if (updated > 0) losses.push({ what: `changed rows of ${table}`, rows: updated });
  }
  return losses;
}

async function count(db: Knex, table: string, column?: string): Promise<number> {
  const [found] = await db(table).count({ rows: column ?? '*' });
  return Number(found?.rows);
}
