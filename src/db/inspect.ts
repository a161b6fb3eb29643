import type { Environment } from '../environment.ts';
import { type Asker, askServer, type Server } from './pool/server.ts';
import { requiredTables } from './required-tables.ts';

/** What a database says that it is. */
interface Label {
  environment: Environment;
  /** The server's, when the database was labelled or adopted. Null if the server hid it. */
  systemIdentifier: string | null;
  /** The database's, at the same time. Null if the database must count as a copy. */
  databaseOid: string | null;
}

/** A database as a connection finds it. */
export interface Inspection {
  /** As the database itself says it. */
  name: string;
  /** Whether it has any table, of whatever program. */
  hasTables: boolean;
  label: Label | undefined;
  /** Names of the migrations that have run. */
  migrations: string[];
  /** Those that this release requires. */
  missingTables: string[];
  server: Server;
}

interface Objects extends Pick<Inspection, 'name' | 'hasTables' | 'missingTables'> {
  hasLabel: boolean;
  hasMigrations: boolean;
}

// Tables of extensions, such as spatial_ref_sys, don't count.
const objects = `
  select current_database()::text as name,
    to_regclass('database_label') is not null as "hasLabel",
    to_regclass('knex_migrations') is not null as "hasMigrations",
    exists (
      select from pg_class
      where relnamespace = to_regnamespace(quote_ident(current_schema())) and relkind in ('r', 'p')
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    ) as "hasTables",
    array(select name from unnest('{${requiredTables}}'::text[]) as name where to_regclass(name) is null) as "missingTables"`;

const label = `
  select environment, system_identifier as "systemIdentifier", database_oid::text as "databaseOid"
  from database_label`;

const migrations = 'select name::text from knex_migrations';

/** Finds out what a database is, and which server it is on. Changes nothing. Each query may take `timeout` milliseconds. */
export async function inspect(asker: Asker, timeout = 0): Promise<Inspection> {
  const ask = async <Row>(text: string): Promise<Row[]> =>
    (await asker.query({ text, query_timeout: timeout })).rows as Row[];
  const server = await askServer(asker, timeout);
  const [found] = await ask<Objects>(objects);
  const { hasLabel, hasMigrations, ...rest } = found as Objects;
  const [labelled] = hasLabel ? await ask<Label>(label) : [];
  const done = hasMigrations ? await ask<{ name: string }>(migrations) : [];
  return { ...rest, label: labelled, migrations: done.map(({ name }) => name), server };
}
