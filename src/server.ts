import { banner } from './banner.ts';
import { ConfigError, loadConfig } from './config.ts';
import { createLogger } from './http/logging.ts';
import { type Service, startService } from './service.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const starting = startService(config, logger);
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      logger.info({ signal }, 'Stopping: finishing what runs.');
      await starting.then((service) => service.stop()).catch((error: unknown) => fail(error));
      process.exit();
    });
  }
  const service: Service = await starting;
  logger.info({ url: service.publicUrl }, 'Listening.');
  process.stdout.write(banner(service, config.dataDir));
}

function fail(error: unknown): never {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  const isKnown = error instanceof ConfigError || (error as Error).name.endsWith('Error');
  const text = code === 'EADDRINUSE' ? `Port ${port} is taken. Choose another with PORT.` : message;
  process.stderr.write(`${isKnown ? text : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
