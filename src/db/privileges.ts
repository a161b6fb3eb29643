import type { Knex } from 'knex';

/** The privileges of the service's role in its database. Names are quoted for SQL. */
interface Rights {
  role: string;
  database: string;
  /** Null if the role may use no schema in its search path. */
  schema: string | null;
  may_create_tables: boolean | null;
  may_create_temporary: boolean;
  may_create_extensions: boolean;
  /** Whether the extension unaccent is installed. */
  is_installed: boolean;
  is_available: boolean;
  /** Owners of tables in the schema that the role is not a member of. */
  other_owners: string[];
}

const query = `
  select quote_ident(current_user) as role, quote_ident(current_database()) as database,
    quote_ident(current_schema()) as schema,
    has_schema_privilege(current_schema(), 'CREATE') as may_create_tables,
    has_database_privilege(current_database(), 'TEMPORARY') as may_create_temporary,
    has_database_privilege(current_database(), 'CREATE') as may_create_extensions,
    exists (select from pg_extension where extname = 'unaccent') as is_installed,
    exists (select from pg_extension where extname = 'unaccent')
      or exists (select from pg_available_extensions where name = 'unaccent') as is_available,
    array (
      select distinct quote_ident(pg_get_userbyid(relowner)) from pg_class
      where relnamespace = to_regnamespace(quote_ident(current_schema())) and relkind in ('r', 'p')
        and not pg_has_role(relowner, 'USAGE')
    ) as other_owners`;

/** Throws an Error that says which privileges are missing and which commands grant them, before a migration fails halfway. */
export async function checkPrivileges(knex: Knex): Promise<void> {
  const { rows } = await knex.raw(query);
  const faults = findFaults(rows[0] as Rights);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

function findFaults(rights: Rights): string[] {
  const { role, database, schema, other_owners: owners } = rights;
  const faults: string[] = [];
  if (schema === null || !rights.may_create_tables) {
    const name = schema ?? 'public';
    faults.push(
      `The role ${role} may not create tables in the schema ${name} of the database ${database}, as migrations do. ` +
        `Run in that database: GRANT USAGE, CREATE ON SCHEMA ${name} TO ${role};`,
    );
  }
  if (!rights.may_create_temporary) {
    faults.push(
      `The role ${role} may not create temporary tables in the database ${database}. ` +
        `Run: GRANT TEMPORARY ON DATABASE ${database} TO ${role};`,
    );
  }
  if (!rights.is_installed && !rights.is_available) {
    faults.push(
      "The PostgreSQL server lacks the extension unaccent: install PostgreSQL's contrib modules (postgresql-contrib).",
    );
  } else if (!rights.is_installed && !rights.may_create_extensions) {
    faults.push(
      `The role ${role} may not create the extension unaccent in the database ${database}. Run as another role, in that ` +
        `database: CREATE EXTENSION unaccent SCHEMA public; or: GRANT CREATE ON DATABASE ${database} TO ${role};`,
    );
  }
  for (const owner of owners) {
    faults.push(
      `Tables in the database ${database} belong to ${owner}. The service connects as ${role}, which must own them. ` +
        `Restore them with pg_restore --no-owner --role=${role}, or run in that database: REASSIGN OWNED BY ${owner} TO ${role};`,
    );
  }
  return faults;
}
