import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shellWord } from '../values/shell-word.ts';
import { type Cluster, databaseUrl, openCluster } from './cluster.ts';
import { unusableDataDir } from './data-dir.ts';
import { findPostmaster, isRunning, killOrphans, launch, removeStaleLock, shutDown } from './postmaster.ts';
import { EmbeddedError, OTHER_USER, reason } from './user.ts';

export { EmbeddedError };

/** The PostgreSQL server that this process uses. The process that started it stops it. */
export interface EmbeddedServer {
  url(database: string): string;
  /** Whether this process started it. */
  readonly isOwn: boolean;
  /** Restarts the server on the same port whenever it ends. Calls `giveUp` if that fails. */
  supervise(giveUp: (error: unknown) => void): void;
  /** Shuts the server down within `timeout` milliseconds, unless another process started it. */
  stop(timeout?: number): Promise<void>;
}

/** Milliseconds. After a crash, PostgreSQL replays its write-ahead log first. */
const START_TIMEOUT = 120_000;
const STOP_TIMEOUT = 15_000;
const POLL_INTERVAL = 20;
const SUPERVISION_INTERVAL = 250;
const RETRY_DELAY = 500;
/** Maximum crashes and failed starts within a window of so many milliseconds. */
const MAX_FAILURES = 5;
const FAILURE_WINDOW = 60_000;
/** Bytes that PostgreSQL needs to start after a crash: two files of its write-ahead log. */
const MIN_ROOM = 32 * 2 ** 20;

/** Milliseconds until a wait for another server is reported. */
const SILENCE = 1_000;

type Log = (message: string) => void;

interface StartOptions {
  /** What the server does. */
  log?: Log | undefined;
  /** What the start waits for, if it takes long. */
  report?: Log | undefined;
  /** Whether to create a missing cluster. Otherwise, it is an error. */
  create?: boolean;
}

/** Starts the server of DATA_DIR, or attaches to the running one. Throws EmbeddedError. */
export async function startEmbedded(
  dataDir: string,
  { log = () => {}, report = log, create = true }: StartOptions = {},
): Promise<EmbeddedServer> {
  const folder = resolve(dataDir);
  try {
    return await run(await openCluster(folder, { log, create }), log, report);
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    const fault = error as NodeJS.ErrnoException;
    const { code, path } = fault;
    if (code === 'EACCES' && path !== undefined) {
      throw new EmbeddedError(
        `DATA_DIR is ${shellWord(folder)}, but ${shellWord(path)} can't be opened. ${OTHER_USER}`,
      );
    }
    if (path?.startsWith(folder)) throw await unusableDataDir(folder, fault);
    throw new EmbeddedError(
      `DATA_DIR ${shellWord(folder)} can't be used for the embedded PostgreSQL: ${reason(error)}.`,
    );
  }
}

async function run(cluster: Cluster, log: Log, report: Log): Promise<EmbeddedServer> {
  /** The last server that this process has launched. */
  let own: ChildProcess | undefined;
  let stopped: Promise<void> | undefined;
  let failures: number[] = [];

  /**
   * Waits for a server that is ready, and launches it if there is none. PostgreSQL itself ensures that only one server
   * runs on a cluster. With a port, waits for a server on that port.
   */
  async function connect(port?: number) {
    const deadline = performance.now() + START_TIMEOUT;
    let nextPort = port ?? defaultPort(cluster);
    let launched: ReturnType<typeof launch> | undefined;
    let silentUntil = performance.now() + SILENCE;
    for (; stopped === undefined && performance.now() < deadline; await sleep(POLL_INTERVAL)) {
      const found = findPostmaster(cluster);
      if (found?.isReady && found.port === (port ?? found.port)) return found;
      const awaited = found?.pid ?? launched?.server.pid;
      if (found || isRunning(cluster, awaited)) {
        if (performance.now() < silentUntil) continue;
        silentUntil = Number.POSITIVE_INFINITY;
        report(
          `Waiting for the embedded PostgreSQL (pid ${awaited}), which is starting or stopping, for at most ` +
            `${START_TIMEOUT / 1_000} seconds. After a crash, it replays its log first. See ${shellWord(cluster.logFile)}.`,
        );
        continue;
      }
      if (launched === undefined) {
        launched = launch(cluster, nextPort);
        own = launched.server;
        continue;
      }
      const fault = launched.fault();
      launched = undefined;
      // Transient: another process was faster, or the last server was killed. Other faults count.
      if (/lock file .* already exists/.test(fault)) removeStaleLock(cluster);
      else if (/shared memory block/.test(fault)) killOrphans(cluster);
      else {
        countFailure(`does not start: ${fault}`);
        if (/TCP\/IP/.test(fault) && port === undefined) nextPort += 1;
        await sleep(RETRY_DELAY);
      }
    }
    throw failure(`was not ready after ${START_TIMEOUT / 1000} s`);
  }

  function countFailure(what: string): void {
    failures = [...failures.filter((at) => performance.now() - at < FAILURE_WINDOW), performance.now()];
    if (failures.length > MAX_FAILURES) throw failure(what);
  }

  function failure(what: string): EmbeddedError {
    return new EmbeddedError(`The embedded PostgreSQL ${what} (see ${shellWord(cluster.logFile)}).`);
  }

  async function keepRunning(pid: number, port: number): Promise<void> {
    for (let current = pid; stopped === undefined; await sleep(SUPERVISION_INTERVAL)) {
      if (isRunning(cluster, current)) continue;
      log('PostgreSQL has ended; starting it again');
      // Without room, it would end again and again.
      if (!(await hasRoom())) await untilRoom();
      else countFailure('keeps crashing');
      current = (await connect(port)).pid;
      log(`PostgreSQL is running again on 127.0.0.1:${port}`);
    }
  }

  async function hasRoom(): Promise<boolean> {
    const { bavail, bsize } = await statfs(cluster.data);
    return bavail * bsize >= MIN_ROOM;
  }

  async function untilRoom(): Promise<void> {
    log(`The disk is full: PostgreSQL starts again as soon as ${MIN_ROOM / 2 ** 20} MiB are free`);
    while (stopped === undefined && !(await hasRoom())) await sleep(RETRY_DELAY);
  }

  function stop(timeout = STOP_TIMEOUT): Promise<void> {
    stopped ??= own === undefined ? Promise.resolve() : shutDown(cluster, own, timeout);
    return stopped;
  }

  try {
    const server = await connect();
    const isOwn = server.pid === own?.pid;
    log(`PostgreSQL ${isOwn ? 'is running' : 'was already running'} on 127.0.0.1:${server.port}`);
    return {
      url: (database) => databaseUrl(cluster, server.port, database),
      isOwn,
      supervise(giveUp) {
        keepRunning(server.pid, server.port).catch((error: unknown) => {
          if (stopped === undefined) giveUp(error);
        });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The same in every process, so that a command that starts the server while the service does too uses the service's port.
 * Below the ephemeral range: an outgoing connection could take such a port while the server restarts.
 */
function defaultPort({ data }: Cluster): number {
  return 20_000 + (createHash('sha256').update(data).digest().readUInt32BE() % 12_000);
}
