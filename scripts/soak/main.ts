/**
 * `npm run soak`: mixed traffic on the service as `npm start` runs it, while one fault after the other is injected; first
 * on its embedded PostgreSQL, then on one behind a network that swallows packets. Ends with exit code 1 when something
 * that was answered 2xx is missing or there twice, when an event was not delivered, when a request failed while nothing
 * was wrong or took longer than 20 s, or when the service was not well again 10 s after a fault.
 *
 *   --calm N     seconds of undisturbed traffic before the first fault and after each (5)
 *   --only TEXT  only the faults whose name contains this
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
const wanted = (faults: readonly Fault[]) => faults.filter(({ name }) => name.includes(values.only));

/** Limits that the traffic can't reach, and a receiver on this machine. */
const environment: NodeJS.ProcessEnv = { WEBHOOK_ALLOW_PRIVATE: 'true' };
for (const name of ['READ', 'WRITE', 'SEARCH', 'ANALYTICS', 'TOKEN_CLIENT', 'TOKEN_IP', 'ANONYMOUS']) {
  environment[`RATE_LIMIT_${name}`] = '1000000000';
}

interface Credentials {
  client_id: string;
  client_secret: string;
}

function accessOf({ url }: Service, { client_id, client_secret }: Credentials) {
  return { url: `${url}/v1`, clientId: client_id, clientSecret: client_secret };
}

async function onEmbedded(folder: string): Promise<string[]> {
  const faults = wanted(embeddedFaults);
  if (faults.length === 0) return [];
  console.log('On the embedded PostgreSQL:');
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

async function behindNetwork(folder: string): Promise<string[]> {
  const databases = await openDatabases({ databases: undefined, dataDir: join(folder, 'own') });
  const network = await startNetwork(databases.production);
  const faults = wanted(networkFaults(network));
  try {
    if (faults.length === 0) return [];
    console.log('On a PostgreSQL behind a network:');
    const env = {
      ...environment,
      DATA_DIR: join(folder, 'client'),
      DATABASE_URL: network.through(databases.production),
      SANDBOX_DATABASE_URL: network.through(databases.sandbox),
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
// As root PostgreSQL runs as another user, who must be able to get in.
await chmod(folder, 0o755);
const faults = [...(await onEmbedded(folder)), ...(await behindNetwork(folder))];
for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`);
console.log(
  faults.length === 0
    ? 'Nothing was lost, nothing is there twice.'
    : `${faults.length} faults; logs in ${folder}`,
);
if (faults.length === 0) await rm(folder, { recursive: true, force: true });
else process.exitCode = 1;
