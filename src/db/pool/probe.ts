import type pg from 'pg';
import { Connection } from './connection.ts';
import type { Primary } from './primary.ts';
import { askServer, type Server } from './server.ts';

/** All in milliseconds. */
const CONNECT_TIMEOUT = 1_000;
const ANSWER_TIMEOUT = 1_000;
/** For a connection that was kept, and may be dead by now. */
const KEPT_TIMEOUT = 500;
/** How often the connection is replaced, used or not: only a new one shows where the URL leads now. */
const RENEW_INTERVAL = 5_000;

export type Probe = ReturnType<typeof createProbe>;

type Work<Result> = (connection: Connection, timeout: number) => Promise<Result>;

/**
 * A connection of its own for short questions: a pool may be exhausted by those who wait for a lock. It is opened on
 * demand and kept. It is also replaced now and then, so that `primary` learns when another server has taken over. Through a
 * pooler, each question may reach another server.
 */
export function createProbe(url: string, primary: Primary) {
  let kept: Connection | undefined;
  let renewing: Promise<void> | undefined;
  let answering: Promise<Server> | undefined;

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
      primary.check(await askServer(connection, ANSWER_TIMEOUT), true);
      return connection;
    } catch (error) {
      forget(connection);
      throw error;
    }
  }

  function keep(connection: Connection): void {
    void kept?.end().catch(() => undefined);
    kept = connection;
  }

  function forget(connection: Connection): void {
    connection.terminate();
    if (kept === connection) kept = undefined;
  }

  /** If no other connection can be opened, the one there is goes on. */
  function renew(): void {
    renewing ??= open()
      .then(keep, () => undefined)
      .finally(() => {
        renewing = undefined;
      });
  }

  const timer = setInterval(renew, RENEW_INTERVAL).unref();

  async function ask<Result>(connection: Connection, timeout: number, work: Work<Result>): Promise<Result> {
    try {
      return await work(connection, timeout);
    } catch (error) {
      forget(connection);
      throw error;
    }
  }

  /** Twice if a kept connection does not answer. */
  async function use<Result>(work: Work<Result>): Promise<Result> {
    if (kept !== undefined) {
      try {
        return await ask(kept, KEPT_TIMEOUT, work);
      } catch {
        // The connection is forgotten, and a new one may work.
      }
    }
    const connection = await open();
    // Somebody else may have opened one meanwhile.
    if (kept === undefined) keep(connection);
    try {
      return await ask(connection, ANSWER_TIMEOUT, work);
    } finally {
      if (kept !== connection) void connection.end().catch(() => undefined);
    }
  }

  return {
    /** Runs one or several statements without values. */
    run: (text: string): Promise<unknown> =>
      use((connection, timeout) => connection.query({ text, query_timeout: timeout } as pg.QueryConfig)),
    /** The server that answers. Rejects if it is not the primary. However many ask at once, it is asked once. */
    server(): Promise<Server> {
      answering ??= use(async (connection, timeout) => {
        const server = await askServer(connection, timeout);
        primary.check(server);
        return server;
      }).finally(() => {
        answering = undefined;
      });
      return answering;
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await renewing;
      await kept?.end().catch(() => undefined);
    },
  };
}
