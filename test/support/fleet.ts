/** Many processes of the service behind nginx, with one PostgreSQL and one Redis. */
import { freePort } from '../../src/process/free-port.ts';
import { until } from './deliveries.ts';
import { startNginx } from './nginx.ts';
import {
  call,
  type External,
  externalDatabases,
  type Run,
  type RunningServer,
  run,
  startFlags,
  startServer,
  unlimited,
} from './process.ts';
import { createRedis, type Redis } from './redis.ts';

/** A process that answers requests. */
export interface Api {
  /** Its own origin, behind nginx. */
  url: string;
  server: RunningServer;
}

export interface Fleet {
  /** Origin of nginx. */
  url: string;
  apis: Api[];
  workers: Run[];
  redis: Redis;
  external: External;
  /** Sends a request directly to one process, bypassing nginx. */
  ask(api: Api, token: string, method: string, path: string, body?: object, headers?: object): Answer;
  /** Ends a process and starts it again. Returns its exit code. */
  restart(api: Api, signal?: NodeJS.Signals): Promise<number | null>;
  /** Ends Redis and nginx. */
  close(): Promise<void>;
}

type Answer = ReturnType<typeof call>;

interface FleetOptions {
  apis: number;
  workers: number;
  /** Seconds without a response after which nginx marks a process as down. */
  readTimeout: number;
  env?: Record<string, string>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const redis = await createRedis();
  try {
    return await startBeside(redis, options);
  } catch (error) {
    await redis.close();
    throw error;
  }
}

async function startBeside(redis: Redis, options: FleetOptions): Promise<Fleet> {
  const external = await externalDatabases();
  await redis.start();
  const ports = await Promise.all(Array.from({ length: options.apis }, () => freePort()));
  const env = {
    ...external.env,
    ...unlimited,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PUBLIC_URL: 'https://api.test',
    TRUST_PROXY: '1',
    REDIS_URL: redis.secureUrl,
    NODE_EXTRA_CA_CERTS: redis.caFile,
    ...options.env,
  };
  const startApi = (port: number) => startServer({ ...env, ROLE: 'api', PORT: String(port) });
  const startWorker = async () => {
    const worker = run(process.execPath, [...startFlags, 'src/server.ts'], { ...env, ROLE: 'worker' });
    await until(() => worker.output.stdout !== '' || worker.child.exitCode !== null, 30);
    return worker;
  };
  const [apis, workers] = await Promise.all([
    Promise.all(
      ports.map(async (port) => ({ url: `http://127.0.0.1:${port}`, server: await startApi(port) })),
    ),
    Promise.all(Array.from({ length: options.workers }, startWorker)),
  ]);
  // Last, because nothing else would end it if a start failed.
  const nginx = await startNginx(ports, options.readTimeout);
  return {
    url: nginx.url,
    apis,
    workers,
    redis,
    external,
    ask: (api, token, method, path, body, headers) =>
      call(token, method, api.url + path, body, { 'X-Forwarded-Proto': 'https', ...headers }),
    async restart(api, signal = 'SIGTERM') {
      api.server.child.kill(signal);
      const code = await api.server.exited;
      api.server = await startApi(Number(new URL(api.url).port));
      return code;
    },
    async close() {
      await nginx.close();
      await redis.close();
    },
  };
}
