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

/** A PostgreSQL server that this process uses, started by it or by another one. */
export interface EmbeddedServer {
  url(database: string): string;
  /** From now on starts the server again, on the same port, when it dies. `giveUp` is told when that can't be done. */
  supervise(giveUp: (error: unknown) => void): void;
  /** Leaves the server. The last process that leaves shuts it down, which takes `patience` milliseconds at most. */
  stop(patience?: number): Promise<void>;
}

/** After a crash PostgreSQL first replays what was committed (milliseconds). */
const START_TIMEOUT = 120_000;
const STOP_PATIENCE = 15_000;
const POLL_INTERVAL = 20;
/** A server that does not start is tried this often, with so many milliseconds between. */
const MAX_FAILURES = 5;
const RETRY_DELAY = 500;
/** A server that dies again and again is started this often within so many milliseconds. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW = 60_000;

type Log = (message: string) => void;

/**
 * Starts the server of DATA_DIR, or attaches to the one that runs; PostgreSQL itself sees to it that only one server
 * runs on a cluster, whoever else starts one at the same moment.
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
  /** The server that ends with this process: started by it, or found without any other process. */
  let own: number | undefined;
  let attachment: Attachment;
  let stopped: Promise<void> | undefined;

  /** Without a port, that of the last start, or another one when some other program has it. */
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
      // Another process that was faster, or the last children of a killed server: both pass. Anything else stays.
      if (/shared memory block/.test(fault)) killOrphans(cluster);
      else if (!/lock file/.test(fault)) {
        if (++failures === MAX_FAILURES) throw failure(`does not start: ${fault}`);
        if (/TCP\/IP/.test(fault) && port === undefined) nextPort = anyPort();
        await sleep(RETRY_DELAY);
      }
    }
    throw failure(`was not ready after ${START_TIMEOUT / 1000} s`);
  }

  function failure(what: string): EmbeddedError {
    return new EmbeddedError(`The embedded PostgreSQL ${what} (see ${cluster.logFile}).`);
  }

  function refusal({ code }: { code?: string }): undefined {
    if (code === '28P01') throw failure(`refuses the password in ${join(cluster.home, 'password')}`);
  }

  async function keepRunning(port: number): Promise<void> {
    let restarts: number[] = [];
    for (;;) {
      await attachment.ended;
      if (leaving.signal.aborted) return;
      restarts = [...restarts.filter((at) => Date.now() - at < RESTART_WINDOW), Date.now()];
      if (restarts.length > MAX_RESTARTS) throw failure('dies again and again');
      log('PostgreSQL has died; starting it again');
      attachment = await connect(port);
      if (attachment.port !== port) {
        throw failure(`was started on another port, ${attachment.port} for ${port}`);
      }
      log(`PostgreSQL runs again on 127.0.0.1:${port}`);
    }
  }

  async function leave(patience: number): Promise<void> {
    const deadline = Date.now() + patience;
    leaving.abort();
    try {
      // One that can't be asked, because it is frozen or starts just now, ends with the process that started it.
      const isLast = await attachment.leave(patience / 2).catch(() => own !== undefined);
      const pid = own ?? readPostmaster(cluster)?.pid;
      if (isLast && pid !== undefined) await shutDown(cluster, pid, deadline - Date.now());
    } finally {
      attachment.close();
      process.off('exit', abandon);
    }
  }

  /** Nothing can be waited for, or asked, when the process exits: other processes start the server again. */
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
  log(`PostgreSQL ${isFirst ? 'runs' : 'was running'} on 127.0.0.1:${port}`);
  return {
    url: (database) => databaseUrl(cluster, port, database),
    supervise(giveUp) {
      keepRunning(port).catch((error: unknown) => {
        if (!leaving.signal.aborted) giveUp(error);
      });
    },
    stop(patience = STOP_PATIENCE) {
      stopped ??= leave(patience);
      return stopped;
    },
  };
}

function lastPort(cluster: Cluster): number {
  try {
    return Number(readFileSync(join(cluster.home, 'port'), 'utf8'));
  } catch {
    return anyPort();
  }
}

/** Below those that the system gives to outgoing connections, one of which could take it while the server restarts. */
function anyPort(): number {
  return randomInt(20_000, 32_000);
}
