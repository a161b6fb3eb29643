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
  const open = db.transaction.bind(db);
  // With options, or without an action, when the caller ends it himself, it is Knex's own.
  Object.defineProperty(db, 'transaction', {
    value: (action?: Action, options?: Knex.TransactionConfig) =>
      action !== undefined && options === undefined
        ? transact(connectionPool, action)
        : open(action as Action, options),
  });
  return db;
}

type Action = (trx: Db) => Promise<unknown>;

/** What waits for the commit of a running transaction. */
const afterCommits = new WeakMap<Db, (() => void)[]>();

/**
 * A transaction without options. Knex's own makes another Knex for each, which costs more than the insert of a row.
 * When it is over, `trx` throws: its connection may already be in somebody else's transaction.
 */
async function transact(pool: pg.Pool, action: Action): Promise<unknown> {
  const connection = await pool.connect();
  const { proxy: trx, revoke } = Proxy.revocable(knexOn(connection), {});
  const committed: (() => void)[] = [];
  afterCommits.set(trx, committed);
  let broken: Error | undefined;
  try {
    await connection.query('begin');
    const result = await action(trx);
    await connection.query('commit');
    for (const act of committed) act();
    return result;
  } catch (error) {
    await connection.query('rollback').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    revoke();
    connection.release(broken);
  }
}

const knexes = new WeakMap<pg.PoolClient, Knex>();

/** A Knex for this connection alone; its transactions are savepoints. */
function knexOn(connection: pg.PoolClient): Knex {
  const known = knexes.get(connection);
  if (known !== undefined) return known;
  const made = knex({ client: 'pg' });
  made.isTransaction = true;
  Object.assign(made.client, {
    transacting: true,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
  });
  knexes.set(connection, made);
  return made;
}

/** The pool under a Knex that createKnex() made. */
export function poolOf(db: Db): pg.Pool {
  return db.client.config.connectionPool;
}

/** Runs the action as soon as the transaction is committed, before whoever waits for it goes on; never when it is rolled back. */
export function afterCommit(trx: Db, action: () => void): void {
  const actions = afterCommits.get(trx);
  if (actions === undefined)
    throw new Error('Only a transaction that runs, and no savepoint, can be waited for.');
  actions.push(action);
}

export async function isReachable(db: Knex): Promise<boolean> {
  return db.raw('select 1').then(
    () => true,
    () => false,
  );
}
