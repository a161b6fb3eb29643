import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { defaultPublicUrl } from '../config-values.ts';
import type { Route } from '../db/pool/route.ts';
import type { Environment } from '../environment.ts';
import { listen } from '../http/listen.ts';
import { createContract } from '../http/validation/contract.ts';
import { readDocument } from '../http/validation/document.ts';
import { startReaders } from '../table-files/read-file.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { createContexts } from './contexts.ts';
import { type CredentialsFile, credentialsPath } from './credentials-file.ts';
import { shareDataDir } from './data-folder.ts';
import { openDatabases } from './databases.ts';
import { freePort } from './free-port.ts';
import { openSecretKey } from './secret-key.ts';
import { waitForDatabase } from './wait-for-database.ts';
import { createWork } from './work.ts';

/** How long running requests and deliveries may take to finish after stop(). Milliseconds. */
const STOP_TIMEOUT = 10_000;
/** How long a proxy may still open and reuse connections after stop(). deploy/nginx/processes.conf closes idle ones earlier. Milliseconds. */
const GRACE_PERIOD = 1_500;
/** How long to wait for a pool to close, since a query may hang after its request was aborted. Milliseconds. */
const POOL_TIMEOUT = 500;
/** Minimum time for the embedded server to stop, even if the previous steps used up STOP_TIMEOUT. Milliseconds. */
const MIN_SERVER_TIMEOUT = 1_000;

export interface Service {
  publicUrl: string;
  /** Address of the metrics. Undefined if they are not served. */
  metricsUrl: string | undefined;
  /** The file with the first clients. Undefined with an external database, where the CLI creates clients. */
  credentialsFile: string | undefined;
  /** The first clients that this start has created. */
  created: Partial<CredentialsFile>;
  /** Restarts the embedded server if it ends. Calls `giveUp` if that fails. */
  supervise(giveUp: (error: unknown) => void): void;
  /** Stops accepting, waits for running requests and deliveries, closes the pools, stops the embedded server. */
  stop(): Promise<void>;
}

/**
 * Starts everything that the configured role needs. If a step fails, closes everything it has opened. If the signal aborts
 * while it waits for the databases, fails with an AbortError.
 */
export async function startService(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  tracing?: Tracing,
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
    const lock = await shareDataDir(config, true);
    closers.push(lock.release);
    const secretKey = await openSecretKey(config);
    // Tokens contain the service's URL, so the port must be known before the server listens.
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    const publicUrl = config.publicUrl ?? defaultPublicUrl(config, port);
    const databases = await openDatabases(config, {
      log: (message) => logger.info(message),
      report: (message) => logger.warn(message),
      create: true,
      needsPrimary: true,
    });
    closers.push(() => {
      const left = STOP_TIMEOUT - (performance.now() - (stopStartedAt ?? 0));
      return databases.stop(Math.max(left, MIN_SERVER_TIMEOUT));
    });
    const opened = await createContexts({ config, databases, secretKey, publicUrl, logger, tracing });
    const { contexts } = opened;
    closers.push(() => waitAtMost(POOL_TIMEOUT, opened.close()));
    const metrics = config.metrics && (await openMetrics(config.metrics, config, closers));
    const document = await readDocument();
    // Compile only once: when the app starts, or else for the first import.
    const compile = once(createContract);
    const { observeAttempt: observe, observeDeletion } = metrics ?? {};
    const contract = async () => compile(document);
    const observers = { observe, observeDeletion, traceAttempt: tracing?.traceAttempt };
    const work = createWork({ config, logger, contract, ...observers });
    // In parallel, so that together they take no longer than STOP_TIMEOUT.
    const stops = [() => work.stop(STOP_TIMEOUT)];
    closers.push(() => waitAtMost(STOP_TIMEOUT, Promise.all(stops.map((stop) => stop()))));

    // Background work begins after the process listens: whatever it meets in the data can't prevent a start.
    const listening = Promise.withResolvers<void>();
    const open = async (environment: Environment, database: Route): Promise<void> => {
      const context = await opened.open(environment, database);
      metrics?.add(context);
      void listening.promise.then(() => work.start(context));
    };
    /** Opens an environment that the start does not depend on. Resolves once it is open or known to be unavailable. */
    const openLater = (environment: Environment) =>
      new Promise<void>((resolve) => {
        const wait = { environment, limit: Number.POSITIVE_INFINITY, logger, signal, onWait: resolve };
        const attempt = async () => open(environment, await databases.findRoute(environment));
        // Fails only when the process stops.
        void waitForDatabase(wait, attempt).then(resolve, resolve);
      });
    const readers = config.role === 'worker' ? undefined : startReaders();
    // Awaited below, unless something else fails first.
    readers?.catch(() => undefined);
    const [main = 'production', ...others] = config.environments;
    const wait = { environment: main, limit: config.databaseWait, logger, signal };
    await open(main, await waitForDatabase(wait, () => databases.findRoute(main)));
    await Promise.all(others.map(openLater));

    if (config.role !== 'worker') {
      const { createApp } = await import('../app.ts');
      const observers = [tracing?.traceRequests, metrics?.observeRequests].filter((one) => one !== undefined);
      const app = await createApp({ config, publicUrl, document, contexts, logger, compile, observers });
      const { stop } = await listen(app, { ...config, port, publicUrl });
      stops.push(() => stop(STOP_TIMEOUT, config.trustProxy === undefined ? 0 : GRACE_PERIOD));
      stops.push(async () => Object.values(contexts).forEach(({ eventWatch }) => void eventWatch.stop()));
    }
    await readers;
    listening.resolve();
    return {
      publicUrl,
      metricsUrl: metrics?.url,
      credentialsFile: config.databases === undefined ? credentialsPath(config.dataDir) : undefined,
      created: opened.created,
      supervise: databases.supervise,
      stop: close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Serves the metrics early, so that they cover the start as well. Loads its modules lazily. */
async function openMetrics(
  address: NonNullable<Config['metrics']>,
  config: Config,
  closers: (() => unknown)[],
) {
  const { createMetrics } = await import('../telemetry/metrics.ts');
  const { serveMetrics } = await import('../telemetry/serve-metrics.ts');
  const metrics = createMetrics(config);
  closers.push(() => waitAtMost(POOL_TIMEOUT, metrics.close()));
  const server = await serveMetrics(metrics, address);
  closers.push(server.close);
  return { ...metrics, url: server.url };
}

function once<Input extends unknown[], Value>(make: (...input: Input) => Value): (...input: Input) => Value {
  let made: { value: Value } | undefined;
  return (...input) => {
    made ??= { value: make(...input) };
    return made.value;
  };
}

/** Waits for the promise, at most `timeout` milliseconds. */
async function waitAtMost(timeout: number, promise: Promise<unknown>): Promise<void> {
  await Promise.race([promise, sleep(timeout, undefined, { ref: false })]);
}
