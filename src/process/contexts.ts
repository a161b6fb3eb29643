import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Report } from '../db/advisory-lock.ts';
import { migrateBy } from '../db/migrate.ts';
import { placed } from '../db/placed.ts';
import type { Route } from '../db/pool/route.ts';
import type { Environment } from '../environment.ts';
import { createRateLimiters } from '../http/limits/rate-limit.ts';
import { createSharedCounts } from '../http/limits/shared-counts.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { SecretKey } from '../values/secrets.ts';
import { createContext } from './create-context.ts';
import { type CredentialsFile, ensureFirstClient } from './credentials-file.ts';
import type { Databases } from './databases.ts';

const NO_DIRECT_URL =
  'DATABASE_DIRECT_URL and SANDBOX_DATABASE_DIRECT_URL are missing, and notifications do not pass through the pooler. So ' +
  'each request checks its credentials in the database, and webhooks and waiting requests poll for events.';

interface ContextsOptions {
  config: Config;
  databases: Databases;
  secretKey: SecretKey;
  publicUrl: string;
  logger: Logger;
  tracing: Tracing | undefined;
}

/**
 * Creates the contexts of a process. `open()` adds an environment when its database is ready. `close()` releases everything
 * they opened. Workers need neither rate limits nor the replica.
 */
export async function createContexts({ config, databases, logger, tracing, ...shared }: ContextsOptions) {
  const isWorker = config.role === 'worker';
  const counts =
    config.redisUrl === undefined || isWorker ? undefined : await createSharedCounts(config.redisUrl, logger);
  const createLimiters = (environment: Environment) =>
    createRateLimiters(config.rateLimits, counts && ((name) => counts.createStore(`${environment}:${name}`)));
  // Create all stores before connecting: the connection loads their scripts into Redis.
  const rateLimiters = { production: createLimiters('production'), sandbox: createLimiters('sandbox') };
  void counts?.connect();
  const contexts: Partial<Record<Environment, Context>> = {};
  const created: Partial<CredentialsFile> = {};

  /** Fails if SECRET_KEY is not the key that encrypted the database's secrets. */
  async function prepare(context: Context): Promise<void> {
    // Creates the first signing key.
    await context.auth.publicJwks();
    if (config.databases !== undefined) return;
    const client = await ensureFirstClient(config.dataDir, context, { isFirst: databases.isOwn });
    if (client !== undefined) created[context.environment] = client;
  }

  return {
    contexts,
    /** The first clients that this start has created. */
    created,
    /** Migrates the database first. */
    async open(environment: Environment, database: Route): Promise<Context> {
      const report: Report = (message) => logger.warn({ environment }, message);
      await migrateBy(database, environment, report).catch((error: unknown) => {
        throw placed(error, { environment });
      });
      const context = createContext({
        ...shared,
        environment,
        config,
        logger,
        database,
        replicaUrl: isWorker ? undefined : config.replicas?.[environment],
        rateLimiters: rateLimiters[environment],
        traceQuery: tracing?.traceQuery,
      });
      try {
        await prepare(context);
      } catch (error) {
        await context.close();
        throw error;
      }
      if (database.directUrl === undefined) logger.warn({ environment }, NO_DIRECT_URL);
      contexts[environment] = context;
      return context;
    },
    async close(): Promise<void> {
      await Promise.all(Object.values(contexts).map((context) => context.close()));
      await counts?.close();
    },
  };
}
