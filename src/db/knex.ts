import knex, { type Knex } from 'knex';

/** A connection pool, or one transaction of it. */
export type Db = Knex;

/** No query may hold a connection longer than this (milliseconds). */
const STATEMENT_TIMEOUT = 15_000;
/** How long a request waits for a free connection before it is told 503 (milliseconds). */
const ACQUIRE_TIMEOUT = 5_000;

/** The pool of one environment's database. `poolSize` connections at most, none of them opened before it is needed. */
export function createKnex(url: string, poolSize: number): Knex {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'lead-pipeline-api',
      statement_timeout: STATEMENT_TIMEOUT,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT,
    },
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT,
  });
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
