import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import manifest from '../../package.json' with { type: 'json' };
import { freePort } from '../../src/free-port.ts';
import type { Target } from './load.ts';

const root = join(import.meta.dirname, '../..');
/** Node's flags from `npm start`, so that the bench measures what runs in production. The yardstick gets the same. */
const flags: string[] = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'));
const variables: NodeJS.ProcessEnv = Object.fromEntries(
  manifest.scripts.start.split(' ').flatMap((word) => (/^[A-Z_]+=/.test(word) ? [word.split('=')] : [])),
);

export interface Running extends Target {
  /** Resident bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the service as `npm start` does, with the default log and rate limits that a load test can't reach. */
export async function startApi(
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
  for (const name of ['READ', 'WRITE', 'SEARCH', 'ANALYTICS', 'TOKEN_CLIENT', 'TOKEN_IP']) {
    env[`RATE_LIMIT_${name}`] = '1000000000';
  }
  const args = unusedPaths === 0 ? ['src/server.ts'] : ['scripts/bench/large-server.ts', String(unusedPaths)];
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', openSync('/dev/null', 'w')],
  });
  const url = `http://127.0.0.1:${port}/v1`;
  const token = await firstToken(url, dataDir, child);
  return {
    url,
    token,
    ...watch(child),
  };
}

/** Starts the yardstick. It accepts only the token that it issues and prints itself. */
export async function startYardstick(databaseUrl: string, dataDir: string): Promise<Running> {
  const secretKey = await readFile(join(dataDir, 'secret.key'), 'utf8');
  const args = ['scripts/bench/yardstick.ts', databaseUrl, secretKey];
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { ...(JSON.parse(line) as Pick<Target, 'url' | 'token'>), ...watch(child) };
}

/** Clock ticks per second in /proc (USER_HZ). */
const TICKS_PER_SECOND = 100;

function watch(child: ChildProcess): Pick<Running, 'cpuSeconds' | 'memory' | 'stop'> {
  const read = (file: string) => readFile(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    async cpuSeconds() {
      const stat = await read('stat');
      // The name, in parentheses, may contain any character. utime and stime are the 12th and 13th fields after it.
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11);
      return (Number(user) + Number(system)) / TICKS_PER_SECOND;
    },
    memory: async () => Number(/VmRSS:\s+(\d+)/.exec(await read('status'))?.[1]) * 1024,
    stop: () => stop(child),
  };
}

/** Requests a token until the service answers. Throws if the child exits first, or after 30 seconds. */
async function firstToken(url: string, dataDir: string, child: ChildProcess): Promise<string> {
  for (let wait = 0; wait < 600 && child.exitCode === null; wait += 1) {
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
