import knex, { type Knex } from 'knex';
import pg from 'pg';

/** A connection pool, or one transaction of it. */
export type Db = Knex;

/** No query may hold a connection longer than this (milliseconds). */
const STATEMENT_TIMEOUT = 15_000;
/** How long a request waits for a free connection before it is told 503 (milliseconds). */
const ACQUIRE_TIMEOUT = 5_000;
/** How long a connection is kept that nobody uses (milliseconds). */
const IDLE_TIMEOUT = 30_000;

/**
 * The pool of one environment's database: `poolSize` connections at most, none of them opened before it is needed.
 * It is node-postgres' own, which run() in statement.ts goes to directly. destroy() ends it.
 */
export function createKnex(url: string, poolSize: number): Knex {
  const connectionPool = new pg.Pool({
    connectionString: url,
    application_name: 'lead-pipeline-api',
    statement_timeout: STATEMENT_TIMEOUT,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
    max: poolSize,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    keepAlive: true,
  });
  // A connection that breaks is dropped by the pool; whoever was using it has the error from its query.
  connectionPool.on('error', () => undefined);
  connectionPool.on('connect', (client) => void client.on('error', () => undefined));
  const db = knex({ client: 'pg', connectionPool });
  const destroy = db.destroy.bind(db);
  // Knex leaves a pool alone that it was given; nobody else has this one.
  Object.defineProperty(db, 'destroy', {
    value: async () => {
      await destroy();
      await connectionPool.end();
    },
  });
  return db;
}

/** The pool under a Knex that createKnex() made. */
export function poolOf(db: Db): pg.Pool {
  return db.client.config.connectionPool;
}

/** Runs the action as soon as the transaction is committed, before whoever waits for it goes on; never when it is rolled back. */
export function afterCommit(trx: Db, action: () => void): void {
  void (trx as Knex.Transaction).executionPromise.then(action, () => undefined);
}

export async function isReachable(db: Knex): Promise<boolean> {
  return db.raw('select 1').then(
    () => true,
    () => false,
  );
}
