/**
 * `npm run soak`: runs mixed traffic on the service, started with `npm start`, and injects one fault after the other.
 * Uses the embedded PostgreSQL first, then one behind a network that drops packets. Exits with code 1 when an
 * acknowledged write is lost or duplicated, an event is not delivered, a request fails without a fault or takes longer
 * than 20 s, or the service has not recovered 10 s after a fault.
 *
 *   --calm N     seconds of traffic before the first fault and after each one (5)
 *   --only TEXT  only faults whose name contains TEXT
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { openDatabases } from '../../src/db/databases.ts';
import { startNetwork } from '../../test/support/network.ts';
import { embeddedFaults, type Fault, networkFaults } from './faults.ts';
import { soak } from './run.ts';
import { createService, type Service } from './service.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

const { values } = parseArgs({
  options: { calm: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const calm = Number(values.calm) * 1_000;
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

async function soakEmbedded(folder: string): Promise<string[]> {
  const faults = selected(embeddedFaults);
  if (faults.length === 0) return [];
  console.log('With the embedded PostgreSQL:');
  const env = { ...environment, DATA_DIR: join(folder, 'embedded') };
  const service = await createService(join(folder, 'embedded.log'), env);
  await service.start();
  try {
    const { production } = JSON.parse(await readFile(join(env.DATA_DIR, 'credentials.json'), 'utf8'));
    return await soak({ service, env, access: accessOf(service, production) }, faults, calm);
  } finally {
    await service.stop('SIGTERM');
  }
}

async function soakBehindNetwork(folder: string): Promise<string[]> {
  const databases = await openDatabases({ databases: undefined, dataDir: join(folder, 'own') });
  const network = await startNetwork(databases.production.url);
  const faults = selected(networkFaults(network));
  try {
    if (faults.length === 0) return [];
    console.log('With PostgreSQL behind a network:');
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
    await service.start();
    try {
      return await soak({ service, env, access: accessOf(service, JSON.parse(stdout)) }, faults, calm);
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
const violations = [...(await soakEmbedded(folder)), ...(await soakBehindNetwork(folder))];
for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
console.log(
  violations.length === 0
    ? 'Nothing was lost or duplicated.'
    : `${violations.length} violations; logs in ${folder}`,
);
if (violations.length === 0) await rm(folder, { recursive: true, force: true });
else process.exitCode = 1;
