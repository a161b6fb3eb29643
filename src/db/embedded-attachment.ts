import pg from 'pg';
import { type Cluster, databaseUrl } from './embedded-cluster.ts';

/**
 * A process's connection to the server while it uses it. All processes share one advisory lock, which PostgreSQL releases
 * with the connection, so the last process knows that it is the last. The connection ends when the server dies.
 */
export interface Attachment {
  readonly port: number;
  /** True if no other process was attached at that time. */
  readonly isFirst: boolean;
  /** Resolves when the connection has ended, on either side. */
  readonly ended: Promise<unknown>;
  /** Releases the lock within `timeout` milliseconds. Returns true for the last process; then no other can attach. */
  leave(timeout: number): Promise<boolean>;
  close(): void;
}

/** Advisory lock id: arbitrary, but the same in every process. */
const LOCK = 7_305_822_402;
/** Milliseconds to connect, and for each query. */
const TIMEOUT = 5_000;

/** Rejects unless a server of this cluster answers: only it accepts the password. */
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
  const queryFlag = async (sql: string, timeout = TIMEOUT): Promise<boolean> => {
    const { rows } = await client.query({ text: sql, query_timeout: timeout } as pg.QueryConfig);
    return rows[0]?.result === true;
  };
  try {
    await client.connect();
    const isFirst = await queryFlag(`select pg_try_advisory_lock(${LOCK}) as result`);
    await queryFlag(`select pg_advisory_lock_shared(${LOCK})`);
    if (isFirst) {
      // Clients receive their errors anyway. In the server's log, errors would reveal the data that clients sent.
      await queryFlag("alter role current_user set log_min_messages = 'log'");
      await queryFlag(`select pg_advisory_unlock(${LOCK})`);
    }
    const leaveSql = `select pg_advisory_unlock_shared(${LOCK}), pg_try_advisory_lock(${LOCK}) as result`;
    return { port, isFirst, ended, leave: (timeout) => queryFlag(leaveSql, timeout), close };
  } catch (error) {
    close();
    throw error;
  }
}
