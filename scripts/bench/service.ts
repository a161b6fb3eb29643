/** Services and yardsticks as processes of their own, with their CPU time and memory as Linux reports them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { freePort } from '../../src/process/free-port.ts';
import type { Closers } from '../closing.ts';
import type { Target } from './load.ts';

const project = join(import.meta.dirname, '../..');

export interface Running extends Target {
  /** CPU seconds that the process has used so far. */
  cpu(): Promise<number>;
  /** Resident bytes. */
  memory(): Promise<number>;
}

interface ServiceOptions {
  dataDir: string;
  /** Another checkout with its packages installed. */
  root?: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts the service as `npm start` does, with rate limits that a load test can't reach. */
export async function startApi(closers: Closers, options: ServiceOptions): Promise<Running> {
  const { dataDir, root = project, env } = options;
  const port = await freePort();
  const { variables, args } = await startCommand(root);
  const limits = ['READ', 'WRITE', 'BATCH', 'SEARCH', 'ANALYTICS', 'TOKEN_CLIENT', 'TOKEN_IP'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      ...variables,
      ...Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, '1000000000'])),
      DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
    stdio: 'ignore',
  });
  closers.push(() => stop(child));
  const url = `http://127.0.0.1:${port}/v1`;
  return { url, token: await firstToken(url, dataDir, child), ...usage(child) };
}

/** Starts the yardstick on the database of this service, whose token it takes. */
export async function startYardstick(closers: Closers, databaseUrl: string, api: Target): Promise<Running> {
  const { variables, args } = await startCommand(project);
  const flags = args.filter((arg) => arg.startsWith('--'));
  const child = spawn(process.execPath, [...flags, 'scripts/bench/yardstick.ts', databaseUrl, api.url], {
    cwd: project,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.push(() => stop(child));
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, token: api.token, ...usage(child) };
}

/** The variables and arguments of `npm start`, so that the bench measures what runs in production. */
async function startCommand(root: string) {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const words: string[] = scripts.start.split(' ');
  const node = words.indexOf('node');
  const variables = words.slice(0, node).filter((word) => word.includes('='));
  return {
    variables: Object.fromEntries(variables.map((word) => word.split('='))) as NodeJS.ProcessEnv,
    args: words.slice(node + 1),
  };
}

/** Requests a token until the service answers. Throws if the process ends first, or after 30 seconds. */
async function firstToken(url: string, dataDir: string, child: ChildProcess): Promise<string> {
  const deadline = performance.now() + 30_000;
  while (isRunning(child) && performance.now() < deadline) {
    const token = await requestToken(url, dataDir).catch(() => undefined);
    if (token !== undefined) return token;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The service did not start.');
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

/** After Ctrl-C the process is already stopping, because the terminal sends the signal to every process. */
async function stop(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function usage({ pid = 0 }: ChildProcess): Pick<Running, 'cpu' | 'memory'> {
  return {
    cpu: async () => (await timesOf(pid)).own,
    memory: async () => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
    },
  };
}

/** Measures the CPU seconds that PostgreSQL has used so far: the postmaster and its children. */
export async function postgresCpu(databaseUrl: string): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { parent: postmaster } = await timesOf(rows[0]?.pid ?? 0);
  await client.end();
  return async () => {
    const { own, ended } = await timesOf(postmaster);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    // A process may end while it is read.
    const all = await Promise.all(pids.map((pid) => timesOf(pid).catch(() => undefined)));
    const children = all.filter((times) => times?.parent === postmaster);
    return children.reduce((sum, times) => sum + (times?.own ?? 0), own + ended);
  };
}

/** From proc_pid_stat(5): the parent, and CPU seconds of the process and of its children that have ended. */
async function timesOf(pid: number | string): Promise<{ parent: number; own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field, in parentheses, may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  const ticksPerSecond = 100;
  return {
    parent: field(4),
    own: (field(14) + field(15)) / ticksPerSecond,
    ended: (field(16) + field(17)) / ticksPerSecond,
  };
}
