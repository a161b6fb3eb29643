/** A service whose databases are behind a network that can fail. */
import { randomBytes } from 'node:crypto';
import { type Network, startNetwork } from './network.ts';
import {
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  newClient,
  newDataDir,
  type RunningServer,
  startServer,
  unlimited,
} from './process.ts';
import type { Cluster } from './replication.ts';

export interface BehindNetwork {
  network: Network;
  server: RunningServer;
  /** Base URL of production. */
  base: string;
  /** The address of production's database, bypassing the network. */
  databaseUrl: string;
  /** Of a client that may read and write. */
  token: string;
  close(): Promise<void>;
}

interface Options {
  /** By default those of the test run. */
  databases?: External['env'];
  /** Which of them are behind the network. */
  behind?: readonly ('DATABASE_URL' | 'SANDBOX_DATABASE_URL')[];
  /** More variables for the service. */
  env?: Record<string, string>;
}

export async function startBehindNetwork(options: Options = {}): Promise<BehindNetwork> {
  const { behind = ['DATABASE_URL', 'SANDBOX_DATABASE_URL'] } = options;
  const env = options.databases ?? (await externalDatabases()).env;
  const network = await startNetwork(env.DATABASE_URL);
  const addresses = behind.map((name) => [name, network.through(env[name])]);
  const server = await startServer({
    ...env,
    ...unlimited,
    ...Object.fromEntries(addresses),
    ...options.env,
  });
  const base = `${server.url}/v1`;
  return {
    network,
    server,
    base,
    databaseUrl: env.DATABASE_URL,
    token: await getToken(base, await newClient(env.DATABASE_URL)),
    async close() {
      await cleanUp();
      await network.close();
    },
  };
}

/** Both databases of the service on this cluster's primary. */
export function databasesOn({ primary }: Cluster): External['env'] {
  return {
    DATABASE_URL: primary.url('leads'),
    SANDBOX_DATABASE_URL: primary.url('leads_sandbox'),
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
  };
}
