import { constants } from 'node:os';
import type { Logger } from 'pino';
import { banner } from './banner.ts';
import { loadConfig } from './config.ts';
import { explain } from './explain.ts';
import { createLogger } from './http/logging.ts';
import { type Service, startService } from './service.ts';

/** A stop is over by then, whatever hangs (milliseconds). */
const STOP_DEADLINE = 11_700;
/** Ctrl-C comes twice with `npm start`: from the terminal, and passed on by npm (milliseconds). */
const SAME_SIGNAL = 500;

async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Ended by a mistake of the program.');
    process.exit(1);
  });
  const starting = startService(config, logger);
  const stopping = stopOnSignal(starting, logger);
  const service = await starting;
  if (stopping.aborted) return;
  service.supervise((error) => {
    logger.fatal({ err: error }, 'Ended, since the embedded PostgreSQL does not run.');
    fail(error);
  });
  if (config.role === 'worker') {
    process.stdout.write('Lead Pipeline API: delivering to webhooks, listening on no port.\n');
    return;
  }
  logger.info({ url: service.publicUrl }, 'Listening.');
  process.stdout.write(banner(service, config.dataDir));
}

/** The first signal lets what runs finish; the second one ends the process at once. */
function stopOnSignal(starting: Promise<Service>, logger: Logger): AbortSignal {
  const stopping = new AbortController();
  let stoppedAt = 0;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) {
      if (performance.now() - stoppedAt > SAME_SIGNAL) process.exit(128 + constants.signals[signal]);
      return;
    }
    stopping.abort();
    stoppedAt = performance.now();
    logger.info({ signal }, 'Stopping: finishing what runs.');
    setTimeout(() => fail(new Error('Stopped before everything had ended.')), STOP_DEADLINE);
    await starting.then((service) => service.stop()).catch(fail);
    process.exit();
  };
  // SIGHUP comes when the terminal is closed; its text can't be written any more.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  return stopping.signal;
}

function fail(error: unknown): never {
  // At exit, behind the last lines of the log, which are written then.
  process.once('exit', () => process.stderr.write(`${explain(error)}\n`));
  process.exit(1);
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
main().catch(fail);
