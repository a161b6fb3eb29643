/** Runs the service with `npm start`, and controls its processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/process/free-port.ts';

const root = join(import.meta.dirname, '../..');
/** Milliseconds. */
const START_TIMEOUT = 60_000;

export interface Service {
  /** Origin. */
  url: string;
  /** Starts the service and waits until it is ready. */
  start(): Promise<void>;
  /** Sends the signal to npm. Returns the time until the service had exited, in milliseconds. */
  stop(signal: NodeJS.Signals): Promise<number>;
  /** Kills the service itself, not npm, with SIGKILL. */
  kill(): Promise<void>;
  /** Sends the signal to the service itself. */
  signal(signal: NodeJS.Signals): void;
  /** The pid of the service itself. */
  pid(): number;
  /** Resident bytes. */
  memory(): number;
}

/** Prepares `npm start` with these environment variables, logging to a file. */
export async function createService(logFile: string, env: NodeJS.ProcessEnv): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let npm: ChildProcess | undefined;

  const pid = () => leafOf(npm?.pid ?? 0);
  const hasExited = async () => !(await isOk(`${url}/livez`)) && !isRunning(npm);

  return {
    url,
    async start() {
      const log = openSync(logFile, 'a');
      npm = spawn('npm', ['start'], {
        cwd: root,
        env: { ...process.env, ...env, PORT: String(port) },
        stdio: ['ignore', log, log],
      });
      const ready = () => isOk(`${url}/readyz`);
      await waitUntil(ready, START_TIMEOUT, `The service did not start; see ${logFile}.`);
    },
    async stop(signal) {
      const startedAt = performance.now();
      npm?.kill(signal);
      await waitUntil(hasExited, START_TIMEOUT, `The service did not stop after ${signal}.`);
      return performance.now() - startedAt;
    },
    pid,
    signal(signal) {
      process.kill(pid(), signal);
    },
    async kill() {
      const exited = npm === undefined || !isRunning(npm) ? Promise.resolve() : once(npm, 'exit');
      process.kill(pid(), 'SIGKILL');
      await exited;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]) * 1024,
  };
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Polls the condition every 100 ms. Throws an error with `message` after `timeout` milliseconds. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeout: number,
  message: string,
): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(message);
    await sleep(100);
  }
}

/** The pids of the child processes. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    return parentOf(name) === parent ? [Number(name)] : [];
  });
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The state and the parent follow the name, which is in parentheses and may contain any character.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** The pid of the service, which npm may run in a shell. */
function leafOf(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined || isPostgres(child) ? pid : leafOf(child);
}

function isPostgres(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
}
