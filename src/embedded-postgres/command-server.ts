import pg from 'pg';
import { type Report, takeLock } from '../db/advisory-lock.ts';
import { isUnavailable } from '../db/errors.ts';
import { type EmbeddedServer, startEmbedded } from './server.ts';

/** Advisory lock id: arbitrary, but the same in every process. Each command holds the lock, shared, while it runs. */
const LOCK = 7_305_822_404;
/** Maximum wait for other commands. Milliseconds. */
const MAX_WAIT = 60 * 60_000;
const MAX_TRIES = 5;

/**
 * The server for a command, whether or not a service is running. Commands may run concurrently: the one that started the
 * server stops it when the others have ended. Throws EmbeddedError, also if there is no database, unless `create` is set.
 */
export async function startForCommand(
  dataDir: string,
  create: boolean,
  report: Report,
): Promise<EmbeddedServer> {
  for (let tries = 1; ; tries += 1) {
    const server = await startEmbedded(dataDir, { report, create });
    const client = new pg.Client({ connectionString: server.url('postgres') });
    // A running query reports the error itself.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`select pg_advisory_lock_shared(${LOCK})`);
      return { ...server, stop: (timeout) => leave(server, client, report, timeout) };
    } catch (error) {
      await client.end().catch(() => undefined);
      await server.stop();
      // The command that started the server has just stopped it.
      if (!isUnavailable(error) || tries === MAX_TRIES) throw error;
    }
  }
}

async function leave(
  server: EmbeddedServer,
  client: pg.Client,
  report: Report,
  timeout: number | undefined,
): Promise<void> {
  try {
    if (server.isOwn) {
      await client.query(`select pg_advisory_unlock_shared(${LOCK})`);
      const task = 'is using the embedded PostgreSQL that this command started';
      await takeLock(client, LOCK, { task, limit: MAX_WAIT, report });
    }
  } catch {
    // Another process has stopped the server, or a command takes too long.
  } finally {
    // In this order: a command that waits for the lock must not get it while the server stops.
    await server.stop(timeout);
    await client.end().catch(() => undefined);
  }
}
