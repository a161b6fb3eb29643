/** The service as its users start it, and what a test may do to its processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/free-port.ts';

const root = join(import.meta.dirname, '../..');
/** Milliseconds. */
const START_TIMEOUT = 60_000;

export interface Service {
  /** Origin. */
  url: string;
  /** Starts it, and resolves when it is ready. */
  start(): Promise<void>;
  /** Sends npm the signal; gives how long it took until the service was gone (milliseconds). */
  stop(signal: NodeJS.Signals): Promise<number>;
  /** Ends the service itself with kill -9. */
  kill(): Promise<void>;
  /** Resident bytes. */
  memory(): number;
}

/** `npm start` with these variables; its log goes to a file. */
export async function createService(logFile: string, env: NodeJS.ProcessEnv): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let npm: ChildProcess | undefined;

  const pid = () => leafOf(npm?.pid ?? 0);
  const isGone = async () => !(await answers(`${url}/livez`)) && !isRunning(npm);

  return {
    url,
    async start() {
      const log = openSync(logFile, 'a');
      npm = spawn('npm', ['start'], {
        cwd: root,
        env: { ...process.env, ...env, PORT: String(port) },
        stdio: ['ignore', log, log],
      });
      const ready = () => answers(`${url}/readyz`);
      await until(ready, START_TIMEOUT, `The service did not start; see ${logFile}.`);
    },
    async stop(signal) {
      const began = performance.now();
      npm?.kill(signal);
      await until(isGone, START_TIMEOUT, `The service did not stop after ${signal}.`);
      return performance.now() - began;
    },
    async kill() {
      const gone = npm === undefined || !isRunning(npm) ? Promise.resolve() : once(npm, 'exit');
      process.kill(pid(), 'SIGKILL');
      await gone;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]) * 1024,
  };
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Asks ten times a second. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  patience: number,
  otherwise: string,
): Promise<void> {
  const deadline = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(otherwise);
    await sleep(100);
  }
}

/** The pids of a process' children. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readStat(name);
    return stat === parent ? [Number(name)] : [];
  });
}

function readStat(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may hold anything, stand the state and the parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** The service under npm, and perhaps under a shell. */
function leafOf(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined || isPostgres(child) ? pid : leafOf(child);
}

function isPostgres(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
}
