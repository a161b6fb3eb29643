import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, defaultPublicUrl } from '../config.ts';
import type { Context } from '../context.ts';
import { migrateBy } from '../db/migrate.ts';
import { createSender } from '../deliveries/send.ts';
import { startWorker, type WorkerOptions } from '../deliveries/worker.ts';
import { environments } from '../environment.ts';
import { listen } from '../http/listen.ts';
import { type Contract, createContract } from '../http/validation/contract.ts';
import { type Document, readDocument } from '../http/validation/document.ts';
import { importTask } from '../imports/import-task.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { replayTask } from '../webhooks/replay.ts';
import { runInBackground } from './background.ts';
import { openContexts } from './contexts.ts';
import { type OpenedCredentials, openCredentials } from './credentials-file.ts';
import { openDatabases } from './databases.ts';
import { freePort } from './free-port.ts';
import { startHousekeeping } from './housekeeping.ts';
import { openSecretKey } from './secret-key.ts';
import { waitForDatabase } from './wait-for-database.ts';

/** How long running requests and deliveries may take to finish after stop(). Milliseconds. */
const STOP_TIMEOUT = 10_000;
/** How long a proxy may still open and reuse connections after stop(). deploy/nginx.conf closes idle ones earlier. Milliseconds. */
const GRACE_PERIOD = 1_500;
/** How long to wait for a pool to close, since a query may hang after its request was cut off. Milliseconds. */
const POOL_TIMEOUT = 500;
/** Minimum time for the embedded server to stop, even if the previous steps used up STOP_TIMEOUT. Milliseconds. */
const MIN_SERVER_TIMEOUT = 1_000;

export interface Service {
  publicUrl: string;
  contexts: readonly Context[];
  /** Where the metrics are. Undefined: nowhere. */
  metricsUrl: string | undefined;
  /** The first clients. Undefined with an external database, where the CLI creates clients. */
  credentials: OpenedCredentials | undefined;
  /** Starts the embedded server again when it ends. Calls `giveUp` if that fails. */
  supervise(giveUp: (error: unknown) => void): void;
  /** Stops accepting, waits for running requests and deliveries, closes the pools, stops the embedded server. */
  stop(): Promise<void>;
}

/**
 * Starts what the configured role needs. Closes everything it has opened if a later step fails. When the signal aborts while
 * it waits for the databases, it fails with an AbortError.
 */
export async function startService(
  config: Config,
  logger: Logger,
  tracing?: Tracing,
  signal?: AbortSignal,
): Promise<Service> {
  const closers: (() => unknown)[] = [];
  let stopStartedAt: number | undefined;
  const close = async (): Promise<void> => {
    stopStartedAt ??= performance.now();
    const end = closers.pop();
    if (end === undefined) return;
    try {
      await end();
    } finally {
      // Continue if one closer fails, so that the embedded server is shut down cleanly.
      await close();
    }
  };
  try {
    if (tracing !== undefined) closers.push(() => waitAtMost(POOL_TIMEOUT, tracing.stop()));
    const secretKey = await openSecretKey(config);
    // Tokens contain the service's URL, so the port must be known before the server listens.
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    const publicUrl = config.publicUrl ?? defaultPublicUrl(config, port);
    const databases = await openDatabases(config, {
      log: (message) => logger.info(message),
      create: true,
      reach: waitForDatabase({ limit: config.databaseWait, logger, signal }),
    });
    closers.push(() => {
      const left = STOP_TIMEOUT - (performance.now() - (stopStartedAt ?? 0));
      return databases.stop(Math.max(left, MIN_SERVER_TIMEOUT));
    });
    const opened = await openContexts({ config, databases, secretKey, publicUrl, logger, tracing });
    const { contexts } = opened;
    closers.push(() => waitAtMost(POOL_TIMEOUT, opened.close()));
    const metrics = config.metrics && (await openMetrics(config.metrics, contexts, config, closers));
    await Promise.all(environments.map((environment) => migrateBy(databases[environment])));
    // Creates the first signing key, and fails early if SECRET_KEY is not the one that encrypted the existing keys.
    await Promise.all(contexts.map(({ auth }) => auth.publicJwks()));
    const credentials =
      config.databases === undefined
        ? await openCredentials(config.dataDir, contexts, { isFirst: databases.isOwn })
        : undefined;
    // In parallel, so that together they take no longer than STOP_TIMEOUT.
    const stops: (() => unknown)[] = [startHousekeeping(contexts, logger)];
    closers.push(() => waitAtMost(STOP_TIMEOUT, Promise.all(stops.map((stop) => stop()))));
    const document = await readDocument();
    let compiled: Contract | undefined;
    // Once, for the app when it starts, or for the first import.
    const compile = (given: Document) => {
      compiled ??= createContract(given);
      return compiled;
    };
    if (config.role !== 'worker') {
      const { createApp } = await import('../app.ts');
      const observers = [tracing?.traceRequests, metrics?.observeRequests].filter((one) => one !== undefined);
      const app = await createApp({
        config,
        publicUrl,
        document,
        contexts,
        logger,
        compile,
        observers,
      });
      const { stop } = await listen(app, { ...config, port, publicUrl });
      stops.push(() => stop(STOP_TIMEOUT, config.trustProxy === undefined ? 0 : GRACE_PERIOD));
      for (const { eventWatch } of contexts) stops.push(eventWatch.stop);
    }
    if (config.role !== 'api') {
      stops.push(
        startDeliveries(config, contexts, logger, {
          observe: metrics?.observeAttempt,
          traceAttempt: tracing?.traceAttempt,
        }),
      );
      stops.push(runInBackground([importTask(async () => compile(document))], contexts, logger));
    }
    return {
      publicUrl,
      contexts,
      metricsUrl: metrics?.url,
      credentials,
      supervise: databases.supervise,
      stop: close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Serves the metrics from now on, so that they tell about the start as well. Loads what that needs only here. */
async function openMetrics(
  address: NonNullable<Config['metrics']>,
  contexts: readonly Context[],
  config: Config,
  closers: (() => unknown)[],
) {
  const { createMetrics } = await import('../telemetry/metrics.ts');
  const { serveMetrics } = await import('../telemetry/serve-metrics.ts');
  const metrics = createMetrics(contexts, config);
  closers.push(() => waitAtMost(POOL_TIMEOUT, metrics.close()));
  const server = await serveMetrics(metrics, address);
  closers.push(server.close);
  return { ...metrics, url: server.url };
}

function startDeliveries(
  { targetRules }: Config,
  contexts: readonly Context[],
  logger: Logger,
  observers: Pick<WorkerOptions, 'observe' | 'traceAttempt'>,
): () => Promise<void> {
  const sender = createSender(targetRules);
  const workers = contexts.map((context) =>
    startWorker({ ...context, sender, random: Math.random, logger, ...observers }),
  );
  const stopReplays = runInBackground([replayTask], contexts, logger);
  return async () => {
    await stopReplays();
    await Promise.all(workers.map((worker) => worker.stop(STOP_TIMEOUT)));
    sender.close();
  };
}

/** Waits for the promise, at most `timeout` milliseconds. */
async function waitAtMost(timeout: number, promise: Promise<unknown>): Promise<void> {
  await Promise.race([promise, sleep(timeout, undefined, { ref: false })]);
}
