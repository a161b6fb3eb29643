import pg from 'pg';
import { type Cluster, databaseUrl } from './embedded-cluster.ts';

/**
 * A process' connection to the server, for as long as it uses it. All of them share one advisory lock, which PostgreSQL
 * frees with the connection, so the last process knows that it is the last. When the server dies the connection ends.
 */
export interface Attachment {
  readonly port: number;
  /** No other process was attached at that moment. */
  readonly isFirst: boolean;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly ended: Promise<unknown>;
  /** Gives up the lock. Returns whether this was the last process; no other can attach then. */
  leave(timeout: number): Promise<boolean>;
  close(): void;
}

/** Any number, the same in every process. */
const LOCK = 7_305_822_402;
/** How long the server may take to answer (milliseconds). */
const TIMEOUT = 5_000;

/** Rejects when no server of this cluster answers: only such a one knows the password. */
export async function attach(cluster: Cluster, port: number): Promise<Attachment> {
  const client = new pg.Client({
    connectionString: databaseUrl(cluster, port, 'postgres'),
    application_name: 'lead-pipeline-api attachment',
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
    keepAlive: true,
  });
  client.on('error', () => {});
  const ended = new Promise((resolve) => client.once('end', resolve));
  const close = () => void client.end().catch(() => undefined);
  const ask = async (sql: string, timeout = TIMEOUT): Promise<boolean> => {
    const { rows } = await client.query({ text: sql, query_timeout: timeout } as pg.QueryConfig);
    return rows[0]?.answer === true;
  };
  try {
    await client.connect();
    const isFirst = await ask(`select pg_try_advisory_lock(${LOCK}) as answer`);
    await ask(`select pg_advisory_lock_shared(${LOCK})`);
    if (isFirst) {
      // Whoever sends a statement is told why it fails. In the server's log it would show what clients sent.
      await ask("alter role current_user set log_min_messages = 'log'");
      await ask(`select pg_advisory_unlock(${LOCK})`);
    }
    const leaveSql = `select pg_advisory_unlock_shared(${LOCK}), pg_try_advisory_lock(${LOCK}) as answer`;
    return { port, isFirst, ended, leave: (timeout) => ask(leaveSql, timeout), close };
  } catch (error) {
    close();
    throw error;
  }
}
