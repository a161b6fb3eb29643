import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import manifest from '../../package.json' with { type: 'json' };
import { freePort } from '../../src/process/free-port.ts';
import type { Closers } from '../closing.ts';
import { cpuOf, memoryOf } from './cpu.ts';
import type { Target } from './load.ts';
import type { Cursors } from './measures.ts';

const root = join(import.meta.dirname, '../..');
/** Node's flags from `npm start`, so that the bench measures what runs in production. The yardstick gets the same. */
const flags: string[] = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'));
const variables: NodeJS.ProcessEnv = Object.fromEntries(
  manifest.scripts.start.split(' ').flatMap((word) => (/^[A-Z_]+=/.test(word) ? [word.split('=')] : [])),
);

export interface Running extends Target {
  /** CPU seconds that the process has used so far. */
  cpu(): Promise<number>;
  /** Resident bytes. */
  memory(): Promise<number>;
}

/** A server that is measured. */
export interface Contestant extends Running {
  cursors: Cursors;
}

/** Starts the service as `npm start` does, with the default log and rate limits that a load test can't reach. */
export async function startApi(
  closers: Closers,
  dataDir: string,
  unusedPaths: number,
  more: NodeJS.ProcessEnv = {},
): Promise<Running> {
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...variables,
    DATA_DIR: dataDir,
    PORT: String(port),
    ...more,
  };
  for (const name of ['READ', 'WRITE', 'BATCH', 'SEARCH', 'ANALYTICS', 'TOKEN_CLIENT', 'TOKEN_IP']) {
    env[`RATE_LIMIT_${name}`] = '1000000000';
  }
  const args = unusedPaths === 0 ? ['src/server.ts'] : ['scripts/bench/large-server.ts', String(unusedPaths)];
  const child = spawn(process.execPath, [...flags, ...args], { cwd: root, env, stdio: 'ignore' });
  closers.push(() => stop(child));
  const url = `http://127.0.0.1:${port}/v1`;
  return { url, token: await firstToken(url, dataDir, child), ...watch(child) };
}

/** Starts the yardstick on the database of this API. It takes the API's token. */
export async function startYardstick(closers: Closers, databaseUrl: string, api: Target): Promise<Running> {
  const args = ['scripts/bench/yardstick.ts', databaseUrl, api.url];
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.push(() => stop(child));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { url, token: api.token, ...watch(child) };
}

function watch({ pid }: ChildProcess): Pick<Running, 'cpu' | 'memory'> {
  return { cpu: () => cpuOf(pid), memory: () => memoryOf(pid) };
}

/** Requests a token until the service answers. Throws if the child exits first, or after 30 seconds. */
async function firstToken(url: string, dataDir: string, child: ChildProcess): Promise<string> {
  for (let wait = 0; wait < 600 && isRunning(child); wait += 1) {
    const token = await requestToken(url, dataDir).catch(() => undefined);
    if (token !== undefined) return token;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The API did not start.');
}

async function requestToken(url: string, dataDir: string): Promise<string> {
  const { production } = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  const { client_id, client_secret } = production;
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** After Ctrl-C it stops already: the terminal sends the signal to every process. */
async function stop(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
