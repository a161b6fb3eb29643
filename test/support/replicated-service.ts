/** The service with a streaming replica, behind a network that can fail. */
import { randomBytes } from 'node:crypto';
import { freePort } from '../../src/process/free-port.ts';
import { parseMetrics, sumOf } from './metrics.ts';
import { type Network, startNetwork } from './network.ts';
import {
  call,
  cleanUp,
  getToken,
  newClient,
  newDataDir,
  type RunningServer,
  startServer,
  unlimited,
} from './process.ts';
import { type Cluster, startCluster } from './replication.ts';

const USED = 'Reports and exports are read from the replica.';
const LEFT = 'The replica is not used: the primary is read.';

export interface ReplicatedService {
  cluster: Cluster;
  /** Between the service and the replica. */
  network: Network;
  server: RunningServer;
  /** Of production. */
  base: string;
  /** Starts another process of the service, and returns its base URL. */
  startAnother(): Promise<string>;
  /** A token of another client each time. */
  newToken(): Promise<string>;
  /** Requests a report, then returns whether the replica is used. */
  isUsed(): Promise<boolean>;
  isLeft(): Promise<boolean>;
  /** The gauge for production. */
  usedInMetrics(): Promise<number | undefined>;
  /** Why the service last stopped using the replica. */
  reason(): unknown;
  /** The servers that it started or stopped using, with the reasons, in order. */
  changes(): { server?: unknown; reason?: unknown }[];
  close(): Promise<void>;
}

export async function startReplicatedService(settings: string[]): Promise<ReplicatedService> {
  const cluster = await startCluster(['leads', 'leads_sandbox'], settings);
  const { primary, replica } = cluster;
  const network = await startNetwork(replica.url('leads'));
  const env = {
    ...unlimited,
    DATABASE_URL: primary.url('leads'),
    SANDBOX_DATABASE_URL: primary.url('leads_sandbox'),
    DATABASE_REPLICA_URL: network.through(replica.url('leads')),
    SANDBOX_DATABASE_REPLICA_URL: network.through(replica.url('leads_sandbox')),
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
    METRICS_PORT: '0',
  };
  const server = await startServer(env);
  const base = `${server.url}/v1`;
  const newToken = async () => getToken(base, await newClient(primary.url('leads')));
  const token = await newToken();
  const changes = () =>
    server
      .log()
      .filter(({ msg, environment }) => (msg === USED || msg === LEFT) && environment === 'production');

  async function isUsed(): Promise<boolean> {
    const { status, body } = await call(token, 'GET', `${base}/analytics/summary`);
    if (status !== 200) throw new Error(`The report got ${status}: ${JSON.stringify(body)}`);
    return changes().at(-1)?.msg === USED;
  }

  return {
    cluster,
    network,
    server,
    base,
    async startAnother() {
      // Tokens name their issuer's address.
      const port = await freePort('127.0.0.1');
      await startServer({ ...env, PORT: String(port), PUBLIC_URL: server.url });
      return `http://127.0.0.1:${port}/v1`;
    },
    newToken,
    changes,
    isUsed,
    isLeft: async () => !(await isUsed()),
    async usedInMetrics() {
      const metricsUrl = /metrics +(\S+)\n/.exec(server.output.stdout)?.[1] ?? '';
      const samples = parseMetrics(await (await fetch(metricsUrl)).text());
      return sumOf(samples, 'lead_pipeline_replica_used', { environment: 'production' });
    },
    reason: () => changes().findLast(({ msg }) => msg === LEFT)?.reason,
    async close() {
      await cleanUp();
      await network.close();
      await cluster.close();
    },
  };
}
