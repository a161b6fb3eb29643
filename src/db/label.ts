import type { Knex } from 'knex';
import type { Environment } from '../environment.ts';
import type { Db } from './db.ts';
import type { Inspection } from './inspect.ts';
import { knex, sql } from './query.ts';

/**
 * A database carries a label: one row that says whether it is production or the sandbox, and on which server it is. Processes
 * and commands compare it with what they were told, because two URLs may lead to the same database, or to the wrong one.
 */
const table = `
  create table if not exists database_label (
    singleton boolean not null default true constraint database_label_pkey primary key
      constraint database_label_singleton_check check (singleton),
    environment text not null constraint database_label_environment_check check (environment in ('production', 'sandbox')),
    -- Of the server that it was labelled or adopted on: see pg_control_system(). Null if the server hides it.
    system_identifier text,
    -- On that server. Null: the database counts as a copy until it is adopted.
    database_oid oid,
    labelled_at timestamptz(3) not null default now()
  )`;

const variables = { production: 'DATABASE_URL', sandbox: 'SANDBOX_DATABASE_URL' };

/**
 * Why this database must not be used as that of the environment, as a sentence for the operator. Undefined if it may be. An
 * empty database may become either. `place` is its host, port and name.
 */
export function labelFault(
  { name, hasTables, label }: Pick<Inspection, 'name' | 'hasTables' | 'label'>,
  environment: Environment,
  place: string,
): string | undefined {
  if (label?.environment === environment || (label === undefined && !hasTables)) return undefined;
  const remedy =
    `correct ${variables[environment]}, or, if this database is meant to be the ${environment} one, run: ` +
    `npx lead-pipeline data label --environment ${environment}`;
  return label === undefined
    ? `The database ${name} at ${place} has tables, but no label that says that it is the ${environment} one: ${remedy}`
    : `The database ${name} at ${place} is labelled ${label.environment}, and can't be used as the ${environment} one: ${remedy}`;
}

/** Throws an Error that says what to do if this is not the environment's database. */
export function checkLabel(found: Inspection, environment: Environment, place: string): void {
  const fault = labelFault(found, environment, place);
  if (fault !== undefined) throw new Error(fault);
}

/**
 * Whether a database is elsewhere than where it was labelled or adopted: restored from a dump, or cloned. A standby that was
 * promoted has the identifier and the oid of its former primary, so it is no copy.
 */
export function isCopy({ label, server }: Pick<Inspection, 'label' | 'server'>): boolean {
  if (label === undefined) return false;
  return label.databaseOid !== server.database || (label.systemIdentifier ?? '') !== server.cluster;
}

/** Says what a copy does not do, and what ends that. */
export function describeCopy(environment: Environment): string {
  return (
    `The ${environment} database is a copy of another one. The service answers requests, but sends no webhooks, runs no ` +
    'imports, bulk jobs or replays, and deletes nothing that has expired, until you run: ' +
    `npx lead-pipeline data adopt --environment ${environment}`
  );
}

/** Labels an empty database, before it gets its tables. */
export async function labelNew(db: Knex, environment: Environment, { server }: Inspection): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw(table);
    await trx('database_label').insert({
      environment,
      system_identifier: server.cluster || null,
      database_oid: server.database,
    });
  });
}

/**
 * Makes a database that of the environment. One that was not a copy of another one doesn't become one, and the reverse. One
 * without a label counts as a copy, since nobody knows where it is from.
 */
export async function relabel(db: Db, environment: Environment): Promise<void> {
  await db.run(knex.raw(table));
  await db.run(sql`
    insert into database_label (environment) values (${environment})
    on conflict (singleton) do update set environment = excluded.environment, labelled_at = now()`);
}

/** Makes a copy an original: from now on, the service does all of its work on this server. */
export async function adoptServer(db: Db, { server }: Pick<Inspection, 'server'>): Promise<void> {
  await db.run(sql`
    update database_label
    set system_identifier = ${server.cluster || null}, database_oid = ${server.database}, labelled_at = now()`);
}

/** Makes a database count as a copy, wherever it is. For a restored cluster, which keeps its identifier and its oids. */
export async function forgetServer(db: Db): Promise<void> {
  await db.run(sql`update database_label set system_identifier = null, database_oid = null`);
}

/** Throws if the database of a transaction is another environment's: it may have been swapped since the start. */
export async function requireEnvironment(trx: Db, environment: Environment): Promise<void> {
  const [found] = await trx.run<{ name: string; environment: Environment }>(
    sql`select environment, current_database()::text as name from database_label`,
  );
  if (found?.environment === environment) return;
  const label = found === undefined ? 'no label' : `the label ${found.environment}`;
  throw new Error(
    `The ${environment} database has been replaced: the one that answers now, ${found?.name ?? ''}, has ${label}.`,
  );
}
