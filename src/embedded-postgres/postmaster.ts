import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { commandLine } from './processes.ts';
import { asUser, EmbeddedError } from './user.ts';

/** PostgreSQL's defaults stay: durability (fsync, synchronous_commit, full_page_writes), and 100 connections. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
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

/** Returns the running server, as its lock file postmaster.pid describes it. */
export function findPostmaster(cluster: Pick<Cluster, 'data'>) {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster.data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!isRunning(cluster, pid)) return undefined;
  // After its process was killed, a server still reports for a moment that it is ready.
  const [, starter = pid] = /lead_pipeline\.starter=(\d+)/.exec(commandLine(pid)) ?? [];
  const isReady = lines[7]?.trim() === 'ready' && commandLine(Number(starter)) !== '';
  return { pid, port: Number(lines[3]), isReady };
}

/** Whether the pid is a server of this cluster, and not another process that reuses it. */
export function isRunning(cluster: Pick<Cluster, 'data'>, pid: number | undefined): boolean {
  return pid !== undefined && commandLine(pid).includes(cluster.data);
}

/** PostgreSQL itself removes the lock file of a dead server, but not one whose pid another process reuses. */
export function removeStaleLock(cluster: Cluster): void {
  if (findPostmaster(cluster)) return;
  rmSync(join(cluster.data, 'postmaster.pid'), { force: true });
}

/** Launches a server. `fault` returns why it exited. */
export function launch({ data, logFile, postgres, account }: Cluster, port: number) {
  const log = openSync(logFile, 'a', 0o600);
  giveToFolderOwner(log, logFile);
  if (fstatSync(log).size > MAX_LOG_BYTES) ftruncateSync(log);
  const { size } = fstatSync(log);
  const all = { ...settings, 'lead_pipeline.starter': process.pid };
  const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached, because Ctrl-C signals the whole process group, and running requests still need the server.
  const options = { cwd: '/', env: { LC_ALL: 'C' }, detached: true };
  const [file, args] = asUser(account, postgres, ['-D', data, '-p', String(port), ...parameters]);
  const server = spawn(file, args, { ...options, stdio: ['ignore', log, log] });
  closeSync(log);
  // Shuts the server down when this process ends, even by SIGKILL: the pipe that it reads from is closed then.
  const watcher = spawn('/bin/sh', ['-c', 'read -r line; kill -INT "$1"', 'sh', String(server.pid)], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  server.once('close', () => watcher.kill('SIGKILL'));
  for (const child of [server, watcher]) child.on('error', () => {}).unref();
  return { server, fault: () => lastFault(logFile, size) };
}

function lastFault(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  const line = lines.findLast((text) => /(FATAL|PANIC): /.test(text)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?(FATAL|PANIC): +/, '') || 'it exited without a message';
}

/**
 * Shuts the server down within `timeout` milliseconds: fast, then immediate, then SIGKILL, each in half of the time left.
 * Committed data survives all three. Throws EmbeddedError if the server is still running.
 */
export async function shutDown(cluster: Cluster, server: ChildProcess, timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    server.kill(signal);
    if (signal === 'SIGKILL') killOrphans(cluster);
    const next = (performance.now() + deadline) / 2;
    while (isRunning(cluster, server.pid) && performance.now() < next) await sleep(10);
    if (!isRunning(cluster, server.pid)) return;
  }
  throw new EmbeddedError(`The embedded PostgreSQL (pid ${server.pid}) could not be stopped.`);
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

/** Otherwise a command that root runs would lock the service's user out of the log. */
function giveToFolderOwner(log: number, logFile: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(logFile));
  fchownSync(log, uid, gid);
}
