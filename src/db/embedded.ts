import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attachment, attach } from './embedded-attachment.ts';
import { type Cluster, databaseUrl, openCluster } from './embedded-cluster.ts';
import {
  isRunning,
  killOrphans,
  type Launched,
  launch,
  readPostmaster,
  removeStaleLock,
  sendSignal,
  shutDown,
} from './embedded-postmaster.ts';
import { EmbeddedError, reason } from './embedded-user.ts';

export { EmbeddedError };

/** The PostgreSQL server that this process uses, started by it or by another process. */
export interface EmbeddedServer {
  url(database: string): string;
  /** From now on restarts the server, on the same port, when it dies. Calls `giveUp` if that fails. */
  supervise(giveUp: (error: unknown) => void): void;
  /** Detaches from the server. The last process shuts it down, within `timeout` milliseconds. */
  stop(timeout?: number): Promise<void>;
}

/** Milliseconds. After a crash, PostgreSQL replays its write-ahead log first. */
const START_TIMEOUT = 120_000;
const STOP_TIMEOUT = 15_000;
const POLL_INTERVAL = 20;
/** Attempts to start the server, and milliseconds between them. */
const MAX_FAILURES = 5;
const RETRY_DELAY = 500;
/** Maximum restarts of a crashing server within a window of so many milliseconds. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW = 60_000;

type Log = (message: string) => void;

/**
 * Starts the server of DATA_DIR, or attaches to the running one. PostgreSQL itself ensures that only one server runs on a
 * cluster, even when several processes start one concurrently. Throws EmbeddedError.
 */
export async function startEmbedded(dataDir: string, log: Log = () => {}): Promise<EmbeddedServer> {
  const folder = resolve(dataDir);
  try {
    return await run(await openCluster(folder, log), log);
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(
      `DATA_DIR ${folder} can't be used for the embedded PostgreSQL: ${reason(error)}.`,
    );
  }
}

async function run(cluster: Cluster, log: Log): Promise<EmbeddedServer> {
  const leaving = new AbortController();
  /** pid of a server that this process must stop: it started the server, or was the first to attach. */
  let own: number | undefined;
  let attachment: Attachment;
  let stopped: Promise<void> | undefined;

  /** Without a port: the port of the last start, or a random one if that is in use. */
  async function connect(port?: number): Promise<Attachment> {
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(START_TIMEOUT)]);
    let nextPort = port ?? lastPort(cluster);
    let launched: Launched | undefined;
    for (let failures = 0; !signal.aborted; await sleep(POLL_INTERVAL)) {
      const found = readPostmaster(cluster);
      if (found && isRunning(cluster, found.pid)) {
        const attached = found.ready ? await attach(cluster, found.port).catch(refusal) : undefined;
        if (attached === undefined) continue;
        own = attached.isFirst ? found.pid : undefined;
        writeFileSync(join(cluster.home, 'port'), `${found.port}\n`);
        return attached;
      }
      if (launched === undefined) {
        if (found) removeStaleLock(cluster, found);
        launched = launch(cluster, nextPort);
        own = launched.pid;
      }
      const hasEnded = await Promise.race([launched.ended.then(() => true), sleep(POLL_INTERVAL)]);
      if (!hasEnded) continue;
      const fault = launched.fault();
      launched = undefined;
      // Transient: another process was faster, or children of a killed server are still running. Other errors count.
      if (/shared memory block/.test(fault)) killOrphans(cluster);
      else if (!/lock file/.test(fault)) {
        if (++failures === MAX_FAILURES) throw failure(`does not start: ${fault}`);
        if (/TCP\/IP/.test(fault) && port === undefined) nextPort = randomPort();
        await sleep(RETRY_DELAY);
      }
    }
    throw failure(`was not ready after ${START_TIMEOUT / 1000} s`);
  }

  function failure(what: string): EmbeddedError {
    return new EmbeddedError(`The embedded PostgreSQL ${what} (see ${cluster.logFile}).`);
  }

  function refusal({ code }: { code?: string }): undefined {
    if (code === '28P01') throw failure(`rejects the password in ${join(cluster.home, 'password')}`);
  }

  async function keepRunning(port: number): Promise<void> {
    let restarts: number[] = [];
    for (;;) {
      await attachment.ended;
      if (leaving.signal.aborted) return;
      restarts = [...restarts.filter((at) => Date.now() - at < RESTART_WINDOW), Date.now()];
      if (restarts.length > MAX_RESTARTS) throw failure('keeps crashing');
      log('PostgreSQL has died; restarting it');
      attachment = await connect(port);
      if (attachment.port !== port) {
        throw failure(`was restarted on port ${attachment.port} instead of ${port}`);
      }
      log(`PostgreSQL is running again on 127.0.0.1:${port}`);
    }
  }

  async function leave(timeout: number): Promise<void> {
    const deadline = Date.now() + timeout;
    leaving.abort();
    try {
      // A server that does not answer, because it hangs or is starting, is stopped by the process that started it.
      const isLast = await attachment.leave(timeout / 2).catch(() => own !== undefined);
      const pid = own ?? readPostmaster(cluster)?.pid;
      if (isLast && pid !== undefined) await shutDown(cluster, pid, deadline - Date.now());
    } finally {
      attachment.close();
      process.off('exit', abandon);
    }
  }

  /** When the process exits, nothing can be awaited or queried. Other processes restart the server. */
  function abandon(): void {
    if (own !== undefined) sendSignal(cluster, own, leaving.signal.aborted ? 'SIGQUIT' : 'SIGINT');
  }

  process.on('exit', abandon);
  try {
    attachment = await connect();
  } catch (error) {
    abandon();
    process.off('exit', abandon);
    throw error;
  }
  const { port, isFirst } = attachment;
  log(`PostgreSQL ${isFirst ? 'is running' : 'was already running'} on 127.0.0.1:${port}`);
  return {
    url: (database) => databaseUrl(cluster, port, database),
    supervise(giveUp) {
      keepRunning(port).catch((error: unknown) => {
        if (!leaving.signal.aborted) giveUp(error);
      });
    },
    stop(timeout = STOP_TIMEOUT) {
      stopped ??= leave(timeout);
      return stopped;
    },
  };
}

function lastPort(cluster: Cluster): number {
  try {
    return Number(readFileSync(join(cluster.home, 'port'), 'utf8'));
  } catch {
    return randomPort();
  }
}

/** Below the ephemeral range: an outgoing connection could take such a port while the server restarts. */
function randomPort(): number {
  return randomInt(20_000, 32_000);
}
