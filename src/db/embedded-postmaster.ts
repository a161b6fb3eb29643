import { spawn } from 'node:child_process';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './embedded-cluster.ts';
import { EmbeddedError } from './embedded-user.ts';
import { commandLine } from './processes.ts';

/** PostgreSQL's lock file, postmaster.pid, of a server that is running or was killed. */
interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Durability (fsync, synchronous_commit, full_page_writes) stays on, which is PostgreSQL's default. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // DETAIL, CONTEXT and STATEMENT would reveal rows, including people's names and emails.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const MAX_LOG_BYTES = 10 * 2 ** 20;

export function readPostmaster(cluster: Cluster): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster.data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** Whether the pid is the cluster's server, and not another process that reuses it. */
export function isRunning(cluster: Cluster, pid: number): boolean {
  return commandLine(pid).includes(cluster.data);
}

/** PostgreSQL itself removes the lock file of a dead process, but not one whose pid another process reuses. */
export function removeStaleLock(cluster: Cluster, seen: Postmaster): void {
  if (readPostmaster(cluster)?.pid !== seen.pid) return;
  rmSync(join(cluster.data, 'postmaster.pid'), { force: true });
}

export interface Launched {
  readonly pid: number | undefined;
  readonly ended: Promise<unknown>;
  /** Why it exited. */
  fault(): string;
}

export function launch(cluster: Cluster, port: number): Launched {
  const log = openLog(cluster.logFile);
  const { size } = statSync(cluster.logFile);
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached, because Ctrl-C signals the whole process group, and running requests still need the server.
  const child = spawn(cluster.postgres, ['-D', cluster.data, '-p', String(port), ...parameters], {
    ...cluster.account,
    cwd: '/',
    env: { LC_ALL: 'C' },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  return { pid: child.pid, ended, fault: () => lastFault(cluster.logFile, size) };
}

function openLog(logFile: string): number {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(logFile);
  return openSync(logFile, 'a', 0o600);
}

function lastFault(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  const line = lines.findLast((text) => /(FATAL|PANIC): /.test(text)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?(FATAL|PANIC): +/, '') || 'it exited without a message';
}

/**
 * Shuts the server down within `timeout` milliseconds: fast, then immediate, then SIGKILL. Committed data survives all
 * three. Throws EmbeddedError if the server is still running.
 */
export async function shutDown(cluster: Cluster, pid: number, timeout: number): Promise<void> {
  for (const [signal, share] of [
    ['SIGINT', 0.6],
    ['SIGQUIT', 0.2],
    ['SIGKILL', 0.2],
  ] as const) {
    sendSignal(cluster, pid, signal);
    if (signal === 'SIGKILL') killOrphans(cluster);
    const deadline = Date.now() + share * timeout;
    while (isRunning(cluster, pid) && Date.now() < deadline) await sleep(10);
    if (!isRunning(cluster, pid)) return;
  }
  throw new EmbeddedError(`The embedded PostgreSQL (pid ${pid}) could not be stopped.`);
}

export function sendSignal(cluster: Cluster, pid: number, signal: NodeJS.Signals): void {
  try {
    if (isRunning(cluster, pid)) process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Kills the processes that a killed server leaves behind: a running query continues to its end and keeps the server's
 * shared memory, and until then no new server starts. Every process of a server has its data folder as working directory.
 */
export function killOrphans(cluster: Cluster): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    try {
      const isOurs = pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === cluster.data;
      if (isOurs && commandLine(pid).startsWith('postgres: ')) process.kill(pid, 'SIGKILL');
    } catch {
      // It has exited, or belongs to another user.
    }
  }
}
