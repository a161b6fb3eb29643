/**
 * `npm run soak`: runs mixed traffic on the service, started with `npm start`, and injects one fault after the other.
 * Uses the embedded PostgreSQL for three quarters of the time, then one behind a network that drops packets. Prints the
 * requests a second, p50 and p99, what failed in which second of which fault, and how much memory the service had. Exits
 * with code 1 when memory grows, an acknowledged write is lost or doubled, an event is not delivered, a request fails
 * without a fault or takes longer than 20 s, or the service has not recovered 10 s after a fault.
 *
 *   --minutes N  how long (10); a fault that has begun is ended
 *   --calm N     seconds of traffic before the first fault and after each one (5)
 *   --clients N  that send requests at the same time, each with its own leads (16)
 *   --only TEXT  only faults whose name contains TEXT
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { openDatabases } from '../../src/process/databases.ts';
import { startNetwork } from '../../test/support/network.ts';
import { embeddedFaults } from './faults.ts';
import { networkFaults } from './network-faults.ts';
import { startRedis } from './redis.ts';
import type { Fault } from './rig.ts';
import { soak } from './run.ts';
import { createService, type Service } from './service.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    calm: { type: 'string', default: '5' },
    clients: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
  },
});
const calm = Number(values.calm) * 1_000;
const clients = Number(values.clients);
const duration = Number(values.minutes) * 60_000;
if (!(duration > 0)) throw new Error('--minutes must be a number above 0.');
/** The part of the time that is spent with the embedded PostgreSQL, if there are faults for both. */
const EMBEDDED_SHARE = 0.75;
const selected = (faults: readonly Fault[]) => faults.filter(({ name }) => name.includes(values.only));

/** Rate limits that the traffic can't reach, and webhooks to localhost. */
const environment: NodeJS.ProcessEnv = { WEBHOOK_ALLOW_PRIVATE: 'true' };
for (const name of [
  'READ',
  'WRITE',
  'BATCH',
  'SEARCH',
  'ANALYTICS',
  'TOKEN_CLIENT',
  'TOKEN_IP',
  'ANONYMOUS',
]) {
  environment[`RATE_LIMIT_${name}`] = '1000000000';
}

interface Credentials {
  client_id: string;
  client_secret: string;
}

function accessOf({ url }: Service, { client_id, client_secret }: Credentials) {
  return { url: `${url}/v1`, clientId: client_id, clientSecret: client_secret };
}

async function soakEmbedded(folder: string, faults: readonly Fault[], duration: number): Promise<string[]> {
  if (faults.length === 0) return [];
  console.log('With the embedded PostgreSQL:');
  const redis = await startRedis(folder);
  const env = {
    ...environment,
    DATA_DIR: join(folder, 'embedded'),
    ...(redis !== undefined && { REDIS_URL: redis.url }),
  };
  const service = await createService(join(folder, 'embedded.log'), env);
  try {
    await service.start();
    const { production } = JSON.parse(await readFile(join(env.DATA_DIR, 'credentials.json'), 'utf8'));
    const rig = { service, env, redis, access: accessOf(service, production) };
    return await soak(rig, { faults, calm, duration, clients });
  } finally {
    await service.stop('SIGTERM');
    await redis?.kill();
  }
}

async function soakBehindNetwork(
  folder: string,
  faults: readonly Fault[],
  duration: number,
): Promise<string[]> {
  if (faults.length === 0) return [];
  console.log('With PostgreSQL behind a network:');
  const databases = await openDatabases(
    { databases: undefined, dataDir: join(folder, 'own') },
    { create: true },
  );
  const network = await startNetwork(databases.production.url);
  try {
    const env = {
      ...environment,
      DATA_DIR: join(folder, 'client'),
      DATABASE_URL: network.through(databases.production.url),
      SANDBOX_DATABASE_URL: network.through(databases.sandbox.url),
      SECRET_KEY: randomBytes(32).toString('base64'),
    };
    const create = ['clients', 'create', '--environment', 'production', '--name', 'Soak', '--json'];
    const { stdout } = await run(process.execPath, ['src/cli.ts', ...create], {
      cwd: root,
      env: { ...process.env, ...env },
    });
    const service = await createService(join(folder, 'client.log'), env);
    try {
      await service.start();
      const rig = { service, env, network, access: accessOf(service, JSON.parse(stdout)) };
      return await soak(rig, { faults, calm, duration, clients });
    } finally {
      await service.stop('SIGTERM');
    }
  } finally {
    await network.close();
    await databases.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'lead-pipeline-soak-'));
// When run as root, PostgreSQL runs as another user, who needs access.
await chmod(folder, 0o755);
const [embedded, behindNetwork] = [selected(embeddedFaults), selected(networkFaults)];
const ofEmbedded = behindNetwork.length === 0 ? 1 : embedded.length === 0 ? 0 : EMBEDDED_SHARE;
const violations = [
  ...(await soakEmbedded(folder, embedded, duration * ofEmbedded)),
  ...(await soakBehindNetwork(folder, behindNetwork, duration * (1 - ofEmbedded))),
];
for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
console.log(
  violations.length === 0
    ? 'Nothing was lost or doubled, and no memory grew.'
    : `${violations.length} violations; logs in ${folder}`,
);
if (violations.length === 0) await rm(folder, { recursive: true, force: true });
else process.exitCode = 1;
