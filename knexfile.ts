import type { Knex } from 'knex';
import { loadConfig } from './src/config.ts';
import { type Databases, openDatabases } from './src/db/databases.ts';
import { migrationSettings } from './src/db/migrate.ts';

let databases: Promise<Databases> | undefined;

async function open(): Promise<Databases> {
  const opened = await openDatabases(loadConfig());
  // Knex ends by process.exit, which waits for nothing; stop() does what it must before it waits.
  process.once('exit', () => void opened.stop());
  return opened;
}

/** For Knex's command line: `npm run migrate:rollback`, `migrate:make`. */
function environment(name: 'production' | 'sandbox'): Knex.Config {
  return {
    ...migrationSettings,
    client: 'pg',
    // A function, so that commands which need no database start none.
    connection: async () => {
      databases ??= open();
      return { connectionString: (await databases)[name] };
    },
  };
}

export default { production: environment('production'), sandbox: environment('sandbox') };
