import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { environments } from '../environment.ts';
import { createSharedCounts } from '../http/limits/shared-counts.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { createContext } from './create-context.ts';
import type { Databases } from './databases.ts';

const DEAF =
  'Notifications of the database do not arrive, probably because DATABASE_URL leads to a pooler: set ' +
  'DATABASE_DIRECT_URL and SANDBOX_DATABASE_DIRECT_URL to the addresses of PostgreSQL itself. Until then each request ' +
  'asks the database whether its credentials are valid, and webhooks and those who wait for events poll.';

interface ContextsOptions {
  config: Config;
  databases: Databases;
  secretKey: Buffer;
  publicUrl: string;
  logger: Logger;
  tracing: Tracing | undefined;
}

/** The contexts of both environments, and what ends all that they have opened. A worker counts no requests and lists nothing. */
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
  let isTold = false;
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
      onDeaf() {
        if (!isTold) logger.warn(DEAF);
        isTold = true;
      },
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
