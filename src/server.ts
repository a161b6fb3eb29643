import { banner } from './banner.ts';
import { loadConfig } from './config.ts';
import { explain } from './explain.ts';
import { createLogger } from './http/logging.ts';
import { startService } from './service.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Ended by a mistake of the program.');
    process.exit(1);
  });
  const starting = startService(config, logger);
  let stopping = false;
  // SIGHUP comes when the terminal is closed; its text can't be written any more.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      logger.info({ signal }, 'Stopping: finishing what runs.');
      await starting.then((service) => service.stop()).catch(fail);
      process.exit();
    });
  }
  const service = await starting;
  if (stopping) return;
  if (config.role === 'worker') {
    process.stdout.write('Lead Pipeline API: delivering to webhooks, listening on no port.\n');
    return;
  }
  logger.info({ url: service.publicUrl }, 'Listening.');
  process.stdout.write(banner(service, config.dataDir));
}

function fail(error: unknown): never {
  // At exit, behind the last lines of the log, which are written then.
  process.once('exit', () => process.stderr.write(`${explain(error)}\n`));
  process.exit(1);
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
main().catch(fail);
