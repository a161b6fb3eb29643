import type pg from 'pg';
import { Connection } from './connection.ts';

/** All in milliseconds. */
const CONNECT_TIMEOUT = 1_000;
const ANSWER_TIMEOUT = 1_000;
/** For a connection that was kept, and may be dead by now. */
const KEPT_TIMEOUT = 500;

export type Probe = ReturnType<typeof createProbe>;

/**
 * A connection of its own for short questions: a pool may be exhausted by those who wait for a lock. It is opened on
 * demand and kept.
 */
export function createProbe(url: string, { takesStandby = false } = {}) {
  let kept: Connection | undefined;
  let answering: Promise<unknown> | undefined;

  async function open(): Promise<Connection> {
    const connection = new Connection({
      connectionString: url,
      application_name: 'lead-pipeline-api probe',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
    });
    connection.on('error', () => undefined);
    connection.on('end', () => forget(connection));
    try {
      await connection.connect();
      if (!takesStandby && connection.standbyFault) throw connection.standbyFault;
      return connection;
    } catch (error) {
      forget(connection);
      throw error;
    }
  }

  function forget(connection: Connection): void {
    connection.terminate();
    if (kept === connection) kept = undefined;
  }

  async function ask<Row>(connection: Connection, text: string, timeout: number): Promise<Row[]> {
    try {
      const result: pg.QueryResult | pg.QueryResult[] = await connection.query({
        text,
        query_timeout: timeout,
      } as pg.QueryConfig);
      return [result].flat().at(-1)?.rows ?? [];
    } catch (error) {
      forget(connection);
      throw error;
    }
  }

  /**
   * Runs one or several statements without values, twice if a kept connection does not answer. Returns the rows of the
   * last one.
   */
  async function run<Row>(sql: string): Promise<Row[]> {
    if (kept !== undefined) {
      try {
        return await ask(kept, sql, KEPT_TIMEOUT);
      } catch {
        // The connection is forgotten, and a new one may work.
      }
    }
    const connection = await open();
    // Somebody else may have opened one meanwhile.
    if (kept === undefined) kept = connection;
    try {
      return await ask(connection, sql, ANSWER_TIMEOUT);
    } finally {
      if (kept !== connection) void connection.end().catch(() => undefined);
    }
  }

  return {
    run,
    /** Resolves if the database answers. However many ask at once, it is asked once. */
    ping(): Promise<unknown> {
      answering ??= run('select 1').finally(() => {
        answering = undefined;
      });
      return answering;
    },
    async close(): Promise<void> {
      await kept?.end().catch(() => undefined);
    },
  };
}
