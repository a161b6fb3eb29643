import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { parse } from 'yaml';
import { type AppOptions, createApp } from './app.ts';
import type { Config } from './config.ts';
import { type Context, createContext } from './context.ts';
import { type CredentialsFile, openCredentials } from './credentials-file.ts';
import { openDatabases } from './db/databases.ts';
import { migrate } from './db/migrate.ts';
import { environments } from './environment.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Document } from './http/contract.ts';
import { listen } from './http/listen.ts';
import { openSecretKey } from './secret-key.ts';

/** How long running requests may take to finish after a stop was asked for (milliseconds). */
const STOP_TIMEOUT = 10_000;

export interface Service {
  publicUrl: string;
  contexts: readonly Context[];
  /** The first clients; undefined on a server of the operator's own, where the CLI makes clients. */
  credentials: CredentialsFile | undefined;
  /** Stops accepting, lets running requests finish, closes pools, stops the embedded server. */
  stop(): Promise<void>;
}

export async function readDocument(): Promise<Document> {
  return parse(await readFile(join(import.meta.dirname, '../openapi/v1.yaml'), 'utf8'));
}

/** Everything from the configuration to a listening server. What was opened is closed again when a later step fails. */
export async function startService(
  config: Config,
  logger: Logger,
  contract: Partial<Pick<AppOptions, 'document' | 'operations'>> = {},
): Promise<Service> {
  const closers: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const secretKey = await openSecretKey(config);
    const port = config.port === 0 ? await freePort(config.host) : config.port;
    const publicUrl = config.publicUrl ?? urlOf(config, port);
    const databases = await openDatabases(config, (message) => logger.info(message));
    closers.push(() => databases.stop());
    const contexts = environments.map((environment) =>
      createContext({
        environment,
        publicUrl,
        databaseUrl: databases[environment],
        poolSize: config.databasePoolSize,
        secretKey,
      }),
    );
    closers.push(async () => void (await Promise.all(contexts.map((context) => context.close()))));
    await Promise.all(contexts.map(({ db }) => migrate(db)));
    const credentials =
      config.databases === undefined ? await openCredentials(config.dataDir, contexts) : undefined;
    const document = contract.document ?? (await readDocument());
    const app = await createApp({ config, publicUrl, ...contract, document, contexts, logger });
    closers.push(startHousekeeping(contexts, logger));
    const server = await listen(app, { ...config, port });
    closers.push(() => closeServer(server));
    return { publicUrl, contexts, credentials, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function urlOf({ host, tls }: Config, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
}

/** For PORT=0: tokens carry the service's address, so it must be known before the server listens. */
async function freePort(host: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, host, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT);
  await closed;
  clearTimeout(timer);
}
