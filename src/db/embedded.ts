import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, openCluster, user } from './embedded-cluster.ts';
import {
  isRunning,
  launch,
  type Postmaster,
  readPostmaster,
  removeStaleLock,
} from './embedded-postmaster.ts';
import { EmbeddedError, reason } from './embedded-user.ts';
import { startTime } from './processes.ts';

export { EmbeddedError };

/** A PostgreSQL server that this process uses, started by it or by another one. */
export interface EmbeddedServer {
  url(database: string): string;
  /**
   * Leaves the server; the last process that leaves shuts it down. Leaving and the signal come before the first
   * await, so that an exit handler, which can't wait, may call it too.
   */
  stop(): Promise<void>;
}

/** After a crash PostgreSQL first replays what was committed. */
const startTimeout = 120_000;
/** Fast, then immediate: the next start replays what was committed. */
const shutdowns = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
] as const;

/**
 * Starts the server of DATA_DIR, or attaches to the one that runs.
 *
 * PostgreSQL itself sees to it that only one server runs on a cluster, whoever else starts one at the same
 * moment. Every process that uses it leaves a note in postgres/users; those of killed processes don't count.
 */
export async function startEmbedded(
  dataDir: string,
  log: (message: string) => void = () => {},
): Promise<EmbeddedServer> {
  const folder = resolve(dataDir);
  let leave = () => {};
  try {
    const cluster = await openCluster(folder, log);
    leave = enter(cluster);
    const port = await ensureRunning(cluster, join(folder, 'postgres.log'), log);
    let stopped: Promise<void> | undefined;
    return {
      url: (database) => url(cluster, port, database),
      stop: () => {
        stopped ??= stop(cluster, leave);
        return stopped;
      },
    };
  } catch (error) {
    leave();
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(
      `DATA_DIR ${folder} can't be used for the embedded PostgreSQL: ${reason(error)}.`,
    );
  }
}

function url(cluster: Cluster, port: number, database: string): string {
  return `postgres://${user}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** Who it is, in a file's name: the pid, and the start because pids come again. Undefined for a dead process. */
function identity(pid: number): string | undefined {
  const started = startTime(pid);
  return started && `${pid}-${started.replace(/\W+/g, '_')}`;
}

/** Gives the way out. */
function enter(cluster: Cluster): () => void {
  const note = join(cluster.home, 'users', `${identity(process.pid)}-${randomBytes(4).toString('hex')}`);
  writeFileSync(note, '');
  return () => rmSync(note, { force: true });
}

function hasUsers(cluster: Cluster): boolean {
  const users = join(cluster.home, 'users');
  return readdirSync(users).some((name) => {
    const owner = identity(Number.parseInt(name, 10));
    if (owner && name.startsWith(`${owner}-`)) return true;
    rmSync(join(users, name), { force: true });
    return false;
  });
}

/** Gives the port. */
async function ensureRunning(
  cluster: Cluster,
  logFile: string,
  log: (message: string) => void,
): Promise<number> {
  const deadline = Date.now() + startTimeout;
  let started = false;
  let failures = 0;
  while (Date.now() < deadline) {
    const found = readPostmaster(cluster);
    if (found?.ready && (await answers(cluster, found))) {
      log(`PostgreSQL ${started ? 'started' : 'was running'} on 127.0.0.1:${found.port}`);
      return found.port;
    }
    if (found && isRunning(cluster, found)) {
      await sleep(20);
      continue;
    }
    if (found) removeStaleLock(cluster, found);
    const fault = await launch(cluster, logFile, deadline);
    started = fault === undefined;
    if (started) continue;
    // Another process that was faster, or the last children of a killed server: both pass. A port taken just
    // now does not come again with the next port. Anything else stays.
    if (!/lock file|shared memory block/.test(fault ?? '') && ++failures === 4) {
      throw new EmbeddedError(`The embedded PostgreSQL does not start: ${fault} (see ${logFile}).`);
    }
    await sleep(100);
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL was not ready after ${startTimeout / 1000} s (see ${logFile}).`,
  );
}

/** Only a server of this cluster knows the password, so an answer says that it is the right one. */
async function answers(cluster: Cluster, postmaster: Postmaster): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url(cluster, postmaster.port, 'postgres'),
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const refused = (error as { code?: string }).code === '28P01' && isRunning(cluster, postmaster);
    if (!refused) return false;
    throw new EmbeddedError(
      `The embedded PostgreSQL refuses the password in ${join(cluster.home, 'password')}.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** From leaving to the signal nothing waits: no newcomer can slip in between and have its server shut down. */
async function stop(cluster: Cluster, leave: () => void): Promise<void> {
  leave();
  const postmaster = readPostmaster(cluster);
  if (!postmaster || hasUsers(cluster) || !isRunning(cluster, postmaster)) return;
  for (const [signal, timeout] of shutdowns) {
    try {
      process.kill(postmaster.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    if (await isGone(cluster, postmaster, timeout)) return;
  }
  throw new EmbeddedError(`The embedded PostgreSQL (pid ${postmaster.pid}) does not stop.`);
}

async function isGone(cluster: Cluster, postmaster: Postmaster, timeout: number): Promise<boolean> {
  const deadline = Date.now() + timeout;
  while (isRunning(cluster, postmaster)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  // Time for Node to collect its child: a process that ends sooner leaves a zombie.
  await sleep(10);
  return true;
}
