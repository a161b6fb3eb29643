import { describeSession, type Session, sessionColumns } from '../../db/advisory-lock.ts';
import { type OpenSession, one } from '../../db/session.ts';

/** The locale of a row of pg_database. Which columns have it depends on the server's version. */
const localeColumn = `(
  select json_object_agg(key, value) from json_each_text(to_json(pg_database))
  where key ~ '^dat(locprovider|collate|ctype|locale|icu)'
)`;

type Locale = Record<string, string | null>;

/** Who asks, over which connection. */
export async function findSelf(session: OpenSession) {
  return one<{ role: string; mayCreate: boolean; version: string; pid: number }>(
    session,
    `select rolname::text as role, rolcreatedb or rolsuper as "mayCreate", current_setting('server_version') as version,
       pg_backend_pid() as pid
     from pg_roles where rolname = current_user`,
  );
}

/** A snapshot that pg_dump can use while the transaction lasts, and the database that it is of. */
export async function exportSnapshot(session: OpenSession) {
  return one<{ database: string; version: string; snapshot: string; locale: Locale }>(
    session,
    `select datname::text as database, current_setting('server_version') as version, pg_export_snapshot() as snapshot,
       ${localeColumn} as locale
     from pg_database where datname = current_database()`,
  );
}

/** A database as its server knows it. */
export interface Listed {
  owner: string;
  /** Whether this role may rename it. */
  mayChange: boolean;
  isOpen: boolean;
  locale: Locale;
}

export async function findDatabase(session: OpenSession, name: string): Promise<Listed | undefined> {
  const { rows } = await session.query<Listed>(
    `select rolname::text as owner, pg_has_role(datdba, 'usage') as "mayChange", datallowconn as "isOpen",
       ${localeColumn} as locale
     from pg_database join pg_roles on pg_roles.oid = datdba where datname = $1`,
    [name],
  );
  return rows[0];
}

/** Who is connected to a database, apart from this connection. Of other roles' sessions, this role may not see the kind. */
export async function findSessions(session: OpenSession, database: string): Promise<string[]> {
  const { rows } = await session.query<Session>(
    `select ${sessionColumns} from pg_stat_activity
     where datname = $1 and pid <> pg_backend_pid() and usename is not null
       and coalesce(backend_type, 'client backend') = 'client backend'
     order by pid`,
    [database],
  );
  return rows.map(describeSession);
}

/** Whether this session is now the only one that restores the database. It is until it ends. */
export async function lockRestores(session: OpenSession, name: string): Promise<boolean> {
  const { isLocked } = await one<{ isLocked: boolean }>(
    session,
    `select pg_try_advisory_lock(hashtextextended('lead-pipeline data restore ' || $1, 0)) as "isLocked"`,
    [name],
  );
  return isLocked;
}

/** Databases whose name is this one and a time, and that this role may drop. */
export async function findStamped(session: OpenSession, start: string): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `select datname::text as name from pg_database
     where starts_with(datname, $1) and substr(datname, length($1) + 1) ~ '^\\d{14}$' and pg_has_role(datdba, 'usage')`,
    [start],
  );
  return rows.map(({ name }) => name);
}

export async function dropDatabase(session: OpenSession, name: string): Promise<void> {
  await session.query(`drop database if exists ${session.escapeIdentifier(name)} with (force)`);
}

interface NewDatabase {
  owner: string;
  locale: Locale | undefined;
}

export async function createDatabase(
  session: OpenSession,
  name: string,
  { owner, locale }: NewDatabase,
): Promise<void> {
  const { datlocprovider = 'c', datcollate, datctype, datlocale, daticulocale, daticurules } = locale ?? {};
  const special = datlocale ?? daticulocale;
  const options = {
    locale_provider: { c: 'libc', i: 'icu', b: 'builtin' }[datlocprovider as string],
    lc_collate: datcollate ?? 'C.UTF-8',
    lc_ctype: datctype ?? 'C.UTF-8',
    icu_locale: datlocprovider === 'i' ? special : undefined,
    icu_rules: datlocprovider === 'i' ? daticurules : undefined,
    builtin_locale: datlocprovider === 'b' ? special : undefined,
  };
  const given = Object.entries(options)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([option, value]) => `${option} = ${session.escapeLiteral(String(value))}`);
  const quoted = session.escapeIdentifier(name);
  const by = session.escapeIdentifier(owner);
  await session.query(
    `create database ${quoted} owner ${by} template template0 encoding 'UTF8' ${given.join(' ')}`,
  );
}

/** What a role that doesn't own the database needs in it. The session is in that database. */
export async function grantUse(session: OpenSession, name: string, role: string): Promise<void> {
  const to = session.escapeIdentifier(role);
  await session.query(
    `create extension if not exists unaccent schema public;
     grant connect, temporary on database ${session.escapeIdentifier(name)} to ${to};
     grant usage, create on schema public to ${to}`,
  );
}

/**
 * In a transaction: gives a new database the name of the old one. The old one gets another name, and takes no connections any
 * more. Fails if somebody is connected to either; PostgreSQL lets nobody connect meanwhile.
 */
export async function renameBoth(
  session: OpenSession,
  { name, fresh, old }: { name: string; fresh: string; old: string | undefined },
): Promise<void> {
  const quote = (text: string) => session.escapeIdentifier(text);
  if (old !== undefined) {
    await session.query(`alter database ${quote(name)} rename to ${quote(old)}`);
    await session.query(`alter database ${quote(old)} allow_connections false`);
  }
  await session.query(`alter database ${quote(fresh)} rename to ${quote(name)}`);
}
