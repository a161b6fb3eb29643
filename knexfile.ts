import type { Knex } from 'knex';
import { readConfig } from './src/cli/read-config.ts';
import { needsDirectUrl, prepareDatabase } from './src/db/migrate.ts';
import { migrationSettings, newMigrations, openKnex } from './src/db/migration-settings.ts';
import type { Environment } from './src/environment.ts';
import { openDatabases } from './src/process/databases.ts';

const production = configFor('production');

/**
 * For Knex's own command line: `npx knex migrate:status`, `npx knex --env sandbox migrate:latest`. Without `--env`, it is
 * production. `npm run migrate` does both.
 */
export default { ...production, production, sandbox: configFor('sandbox') };

function configFor(environment: Environment): Knex.Config {
  if (process.argv.includes('migrate:make')) return { client: 'pg', migrations: newMigrations };
  return { client: 'pg', ...migrationSettings(), connection: () => connectionTo(environment) };
}

async function connectionTo(environment: Environment): Promise<Knex.PgConnectionConfig> {
  const databases = await openDatabases(readConfig(), { isCommand: false });
  // Knex ends the process. What starts the embedded server stops it.
  process.once('exit', () => void databases.stop());
  const { directUrl } = await databases.findRoute(environment);
  if (directUrl === undefined) throw needsDirectUrl();
  const db = openKnex(directUrl, migrationSettings());
  try {
    await prepareDatabase(db, directUrl, environment);
  } finally {
    await db.destroy();
  }
  return { connectionString: directUrl };
}
