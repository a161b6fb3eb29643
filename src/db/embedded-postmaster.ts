import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './embedded-cluster.ts';
import { commandLine } from './processes.ts';

/** What PostgreSQL's lock file, postmaster.pid, says of the server that runs, or ran until it was killed. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Durability (fsync, synchronous_commit, full_page_writes) stays as PostgreSQL ships it: on. */
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
};

const mostLogBytes = 10 * 2 ** 20;

export function readPostmaster(cluster: Cluster): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster.data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** Whether it runs, and is no other process that has its pid now. */
export function isRunning(cluster: Cluster, postmaster: Postmaster): boolean {
  return postmaster.pid > 0 && (commandLine(postmaster.pid)?.includes(cluster.data) ?? false);
}

/** PostgreSQL takes a dead process's lock file by itself, but not one whose pid some other process has now. */
export function removeStaleLock(cluster: Cluster, seen: Postmaster): void {
  if (readPostmaster(cluster)?.pid !== seen.pid) return;
  rmSync(join(cluster.data, 'postmaster.pid'), { force: true });
}

/** Starts a server. Gives what went wrong, or undefined once it is ready or the deadline has passed. */
export async function launch(
  cluster: Cluster,
  logFile: string,
  deadline: number,
): Promise<string | undefined> {
  const port = await freePort();
  const log = openLog(logFile);
  const logged = statSync(logFile).size;
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached, because Ctrl-C in a terminal goes to the whole process group: requests that run still need it.
  const child = spawn(cluster.postgres, ['-D', cluster.data, '-p', String(port), ...options], {
    ...cluster.account,
    cwd: '/',
    env: { LC_ALL: 'C' },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let fault: string | undefined;
  child.once('error', (error) => {
    fault = error.message;
  });
  child.unref();
  while (Date.now() < deadline) {
    if (fault !== undefined) return fault;
    if (child.exitCode !== null || child.signalCode !== null) return lastFault(logFile, logged);
    const running = readPostmaster(cluster);
    if (running?.ready && running.pid === child.pid) return undefined;
    await sleep(10);
  }
  return undefined;
}

function openLog(logFile: string): number {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > mostLogBytes) truncateSync(logFile);
  return openSync(logFile, 'a', 0o600);
}

function lastFault(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  const line = lines.findLast((text) => /(FATAL|PANIC): /.test(text)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?(FATAL|PANIC): +/, '') || 'it ended without a word';
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
