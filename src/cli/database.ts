import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { placeOf } from '../config-values.ts';
import { Database } from '../db/database.ts';
import type { Db } from '../db/db.ts';
import { type Inspection, inspect } from '../db/inspect.ts';
import { checkLabel, describeCopy, isCopy } from '../db/label.ts';
import { missingIn } from '../db/migrate.ts';
import { findNames } from '../db/migration-settings.ts';
import type { Environment } from '../environment.ts';
import { openDatabases } from '../process/databases.ts';
import { shellWord } from '../values/shell-word.ts';
import { createLateLogger } from './late-logger.ts';
import { readConfig } from './read-config.ts';

/** The database that a command works on, and its settings. */
export interface CommandTarget {
  db: Db;
  /** What the database was when the command began. */
  found: Inspection;
  databaseUrl: string;
  /** Whether this command has started the embedded server, which ends with it. */
  isOwn: boolean;
  environment: Environment;
  config: Config;
  /** Writes to stderr, like the service's logger. */
  logger: Logger;
}

export interface DatabaseOptions {
  /** Whether the command works in a database of another environment, without tables, or of another version. */
  isUnchecked?: boolean;
  /** Whether the command has named the database already. */
  isAnnounced?: boolean;
}

/** Runs a command in an existing, migrated database. Creates none, so that a mistyped DATA_DIR is an error. */
export async function withDatabase<T>(
  environment: Environment,
  run: (target: CommandTarget) => Promise<T>,
  { isUnchecked = false, isAnnounced = false }: DatabaseOptions = {},
): Promise<T> {
  const config = readConfig();
  if (!config.environments.includes(environment))
    throw new Error(`ENVIRONMENTS does not include ${environment}, so no command works in it.`);
  const databases = await openDatabases(config);
  try {
    if (!isAnnounced) announce(config, environment);
    const route = await databases.findRoute(environment);
    const isPooled = route.directUrl === undefined;
    const databaseUrl = route.directUrl ?? route.url;
    // No time limit for queries and transactions: an import or a recount of millions of rows takes long.
    const db = new Database(databaseUrl, 1, { ...route, isPooled, limit: Number.POSITIVE_INFINITY });
    try {
      const found = await inspect({
        query: async ({ text }) => ({ rows: await db.run({ text, values: [] }) }),
      });
      if (!isUnchecked) await check(found, environment, databaseUrl);
      const { isOwn } = databases;
      const logger = createLateLogger(config.logLevel);
      return await run({ db, found, databaseUrl, isOwn, environment, config, logger });
    } finally {
      await db.close();
    }
  } finally {
    await databases.stop();
  }
}

/** Names the database on stderr, so that stdout has only the result. */
export function announce({ databases, dataDir }: Config, environment: Environment): void {
  const url = databases?.[environment];
  const place = url === undefined ? `in ${shellWord(dataDir)}` : placeOf(url);
  process.stderr.write(`Using the ${environment} database ${place}.\n`);
}

async function check(found: Inspection, environment: Environment, url: string): Promise<void> {
  checkLabel(found, environment, placeOf(url));
  const missing = missingIn(found, await findNames());
  if (missing.length > 0) {
    throw new Error(
      `The ${environment} database lacks ${missing.length} migrations of this version. Run npx lead-pipeline migrate first, or ` +
        'start the service.',
    );
  }
  if (isCopy(found)) process.stderr.write(`${describeCopy(environment)}.\n`);
}
