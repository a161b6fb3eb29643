import type { Knex } from 'knex';
import { loadConfig } from './src/config.ts';
import { migrationSettings } from './src/db/migrate.ts';
import { type Databases, openDatabases } from './src/process/databases.ts';

let databases: Promise<Databases> | undefined;

/** For Knex's command line: `npm run migrate:rollback`, `migrate:make`. */
function environment(name: 'production' | 'sandbox'): Knex.Config {
  return {
    ...migrationSettings,
    client: 'pg',
    // A function, so that commands which need no database start none.
    connection: async () => {
      // Knex ends by process.exit, and the embedded server then ends with the process.
      databases ??= openDatabases(loadConfig());
      const { directUrl } = (await databases)[name];
      if (directUrl === undefined)
        throw new Error("Migrations can't run through a pooler: set DATABASE_DIRECT_URL.");
      return { connectionString: directUrl };
    },
  };
}

export default { production: environment('production'), sandbox: environment('sandbox') };
