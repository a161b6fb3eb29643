import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { environments } from '../environment.ts';
import { createSharedCounts } from '../http/limits/shared-counts.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { createContext } from './create-context.ts';
import type { Databases } from './databases.ts';

const NO_DIRECT_URL =
  'DATABASE_DIRECT_URL and SANDBOX_DATABASE_DIRECT_URL are missing, and notifications do not pass through the pooler. So ' +
  'each request asks the database whether its credentials are valid, and webhooks and waits for events are polled for.';

interface ContextsOptions {
  config: Config;
  databases: Databases;
  secretKey: Buffer;
  publicUrl: string;
  logger: Logger;
  tracing: Tracing | undefined;
}

/**
 * Creates the contexts of both environments. `close()` releases everything they opened. Workers need neither rate limits nor
 * the replica.
 */
export async function openContexts({
  config,
  databases,
  logger,
  tracing,
  ...shared
}: ContextsOptions): Promise<{ contexts: Context[]; close(): Promise<void> }> {
  const isWorker = config.role === 'worker';
  const counts =
    config.redisUrl === undefined || isWorker ? undefined : await createSharedCounts(config.redisUrl, logger);
  if (environments.some((environment) => databases[environment].directUrl === undefined))
    logger.warn(NO_DIRECT_URL);
  const contexts = environments.map((environment) =>
    createContext({
      ...shared,
      environment,
      config,
      logger,
      database: databases[environment],
      replicaUrl: isWorker ? undefined : config.replicas?.[environment],
      createStore: counts?.createStore,
      traceQuery: tracing?.traceQuery,
    }),
  );
  void counts?.connect();
  return {
    contexts,
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
      await counts?.close();
    },
  };
}
