import type { Logger } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { Database } from '../db/database.ts';
import type { Db } from '../db/db.ts';
import { findMissing } from '../db/migrate.ts';
import type { Environment } from '../environment.ts';
import { openDatabases } from '../process/databases.ts';
import { createLogger } from '../process/logger.ts';

/** The database that a command works on, and its settings. */
export interface CommandTarget {
  db: Db;
  databaseUrl: string;
  environment: Environment;
  config: Config;
  /** Writes to stderr, like the service's logger. */
  logger: Logger;
}

/** Runs a command in an existing, migrated database. Creates none, so that a mistyped DATA_DIR is an error. */
export async function withDatabase<T>(
  environment: Environment,
  run: (target: CommandTarget) => Promise<T>,
): Promise<T> {
  const config = loadConfig();
  if (!config.environments.includes(environment))
    throw new Error(`ENVIRONMENTS does not include ${environment}, so no command works in it.`);
  const databases = await openDatabases(config);
  try {
    const route = await databases.findRoute(environment);
    await checkSchema(environment, route.directUrl ?? route.url);
    const isPooled = route.directUrl === undefined;
    const databaseUrl = route.directUrl ?? route.url;
    // No time limit for queries and transactions: an import or a recount of millions of rows takes long.
    const db = new Database(databaseUrl, 1, { ...route, isPooled, limit: Number.POSITIVE_INFINITY });
    try {
      return await run({ db, databaseUrl, environment, config, logger: createLogger(config.logLevel) });
    } finally {
      await db.close();
    }
  } finally {
    await databases.stop();
  }
}

async function checkSchema(environment: Environment, url: string): Promise<void> {
  const missing = await findMissing(url);
  if (missing === 0) return;
  throw new Error(
    `The ${environment} database lacks ${missing} migrations of this version. Run npm run migrate first, or start the ` +
      'service.',
  );
}
