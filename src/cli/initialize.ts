import { pino } from 'pino';
import type { Config } from '../config.ts';
import { defaultPublicUrl } from '../config-values.ts';
import { createContexts } from '../process/contexts.ts';
import { credentialsPath } from '../process/credentials-file.ts';
import { shareDataDir } from '../process/data-folder.ts';
import { openDatabases } from '../process/databases.ts';
import { freePort } from '../process/free-port.ts';
import { openSecretKey } from '../process/secret-key.ts';
import { announce } from './database.ts';
import { readConfig } from './read-config.ts';
import type { Report } from './report.ts';

/** Does what a first start of the service does before it listens. */
export async function initialize(): Promise<Report> {
  // Requests aren't counted or read from a replica here.
  const config = { ...readConfig(), redisUrl: undefined, replicas: undefined };
  const lock = await shareDataDir(config, true);
  try {
    await openAll(config);
  } finally {
    lock.release();
  }
  return config.databases === undefined
    ? {
        title: 'The databases are ready. npm start starts the service.',
        data: { data: config.dataDir, credentials: credentialsPath(config.dataDir) },
      }
    : {
        title: 'The databases are ready. Create a client with: npx lead-pipeline clients create',
        data: { environments: config.environments.join(' and ') },
      };
}

async function openAll(config: Config): Promise<void> {
  const secretKey = await openSecretKey(config);
  const databases = await openDatabases(config, { create: true, isCommand: true, needsPrimary: true });
  try {
    for (const environment of config.environments) announce(config, environment);
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    const publicUrl = config.publicUrl ?? defaultPublicUrl(config, port);
    const logger = pino({ level: 'silent' });
    const opened = await createContexts({
      config,
      databases,
      secretKey,
      publicUrl,
      logger,
      tracing: undefined,
    });
    try {
      for (const environment of config.environments)
        await opened.open(environment, await databases.findRoute(environment));
    } finally {
      await opened.close();
    }
  } finally {
    await databases.stop();
  }
}
