import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { type Config, loadConfig } from './config.ts';
import { banner } from './process/banner.ts';
import { explainError } from './process/explain.ts';
import { createLogger } from './process/logger.ts';
import { notifySystemd } from './process/notify-systemd.ts';
import { checkPublicUrl } from './process/public-url.ts';
import { type Service, startService } from './process/service.ts';
import type { Tracing } from './telemetry/tracing.ts';

/** The process exits after this, even if the shutdown hangs. Milliseconds. */
const SHUTDOWN_TIMEOUT = 11_700;
/** With `npm start`, Ctrl-C arrives twice: from the terminal, and forwarded by npm. Milliseconds. */
const DUPLICATE_SIGNAL_WINDOW = 500;

// Lists of 20 and of 100 leads are a tenth faster, and take an eighth less CPU of Node, without V8's guess at which objects live
// long: it moves each row's objects straight to the old generation.
setFlagsFromString('--no-allocation-site-pretenuring');

async function main(): Promise<void> {
  const config = loadConfig();
  checkPublicUrl(config);
  const tracing = config.traces && (await openTracing(config.traces));
  const logger = createLogger(config.logLevel, undefined, tracing?.logFields);
  tracing?.warnBy(logger);
  for (const warning of config.warnings) logger.warn(warning);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Uncaught exception.');
    process.exit(1);
  });
  const stopping = new AbortController();
  const starting = startService(config, logger, stopping.signal, tracing).catch((error: unknown) => {
    // The service was stopped while it waited for the databases.
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  });
  stopOnSignal(starting, stopping, logger);
  const service = await starting;
  if (service === undefined || stopping.signal.aborted) return;
  if (config.notifiesSystemd) notifySystemd(logger);
  service.supervise((error) => {
    logger.fatal({ err: error }, 'Exiting: the embedded PostgreSQL is not running.');
    fail(error);
  });
  if (config.role === 'worker') {
    const listening =
      service.metricsUrl === undefined ? 'not listening on any port' : `metrics at ${service.metricsUrl}`;
    process.stdout.write(`Lead Pipeline API: delivering webhooks, ${listening}.\n`);
    return;
  }
  logger.info({ url: service.publicUrl }, 'Listening.');
  // Readers of a log or a pipe must not get the secrets.
  const showSecrets = process.stdout.isTTY;
  process.stdout.write(banner(service, config, { showSecrets }));
}

/** Loaded lazily, since the SDK takes a tenth of a second. */
async function openTracing(options: NonNullable<Config['traces']>): Promise<Tracing> {
  const { startTracing } = await import('./telemetry/tracing.ts');
  return startTracing(options);
}

/** The first signal starts a graceful shutdown; a second one exits immediately. */
function stopOnSignal(
  starting: Promise<Service | undefined>,
  stopping: AbortController,
  logger: Logger,
): void {
  let stoppedAt = 0;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) {
      if (performance.now() - stoppedAt > DUPLICATE_SIGNAL_WINDOW)
        process.exit(128 + constants.signals[signal]);
      return;
    }
    stopping.abort();
    stoppedAt = performance.now();
    logger.info({ signal }, 'Shutting down: finishing running requests and deliveries.');
    setTimeout(() => fail(new Error('Shutdown timed out.')), SHUTDOWN_TIMEOUT);
    await starting.then((service) => service?.stop()).catch(fail);
    process.exit();
  };
  // SIGHUP arrives when the terminal has closed, so writing to it fails.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

function fail(error: unknown): never {
  // Written at exit, after the logger has flushed its last lines.
  process.once('exit', () => process.stderr.write(`${explainError(error)}\n`));
  process.exit(1);
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
main().catch(fail);
