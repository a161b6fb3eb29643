import { Connection } from './connection.ts';

/** Milliseconds. */
const TIMEOUT = 1_000;

export type Probe = ReturnType<typeof createProbe>;

/**
 * A connection of its own for short questions: a pool may be exhausted by those who wait for a lock. It is opened on
 * demand and kept; after a failure, the next question opens another one.
 */
export function createProbe(url: string) {
  let opened: Promise<Connection> | undefined;
  let newest: Connection | undefined;
  let answering: Promise<void> | undefined;

  async function open(): Promise<Connection> {
    const connection = new Connection({
      connectionString: url,
      application_name: 'lead-pipeline-api probe',
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      keepAlive: true,
    });
    newest = connection;
    connection.on('error', () => undefined);
    connection.on('end', () => forget(connection));
    try {
      await connection.connect();
      return connection;
    } catch (error) {
      forget(connection);
      throw error;
    }
  }

  function forget(connection: Connection): void {
    connection.terminate();
    if (newest === connection) opened = undefined;
  }

  /** Runs one or several statements without values. Rejects if there is no answer within two seconds. */
  async function run(sql: string): Promise<void> {
    opened ??= open();
    const connection = await opened;
    try {
      await connection.query(sql);
    } catch (error) {
      forget(connection);
      throw error;
    }
  }

  return {
    run,
    /** Resolves if the database answers. However many ask at once, it is asked once. */
    ping(): Promise<void> {
      answering ??= run('select 1').finally(() => {
        answering = undefined;
      });
      return answering;
    },
    async close(): Promise<void> {
      const connection = await opened?.catch(() => undefined);
      await connection?.end().catch(() => undefined);
    },
  };
}
