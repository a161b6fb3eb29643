import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { TimeoutError } from './deadline.ts';
import { ConnectionPool, HOLD_TIMEOUT } from './pool.ts';

/** A connection pool, or a transaction on it. */
export type Db = Knex;

/**
 * The connection pool of one environment's database: at most `poolSize` connections, opened on demand, each held for at
 * most `limit` milliseconds. The pool is node-postgres's, which run() in statement.ts uses directly. destroy() closes it.
 */
export function createKnex(url: string, poolSize: number, limit = HOLD_TIMEOUT): Knex {
  const connectionPool = new ConnectionPool(url, poolSize, limit);
  // compileSqlOnError would put the bound values into error messages, including people's names and addresses.
  const db = knex({ client: 'pg', connectionPool, compileSqlOnError: false });
  const destroy = db.destroy.bind(db);
  // Knex does not close a pool that is passed to it; nothing else uses this one.
  Object.defineProperty(db, 'destroy', {
    value: async () => {
      await destroy();
      await connectionPool.end();
    },
  });
  const open = db.transaction.bind(db);
  // Without an action, the caller ends the transaction, which is then Knex's own.
  Object.defineProperty(db, 'transaction', {
    value: (action?: Action, options?: Knex.TransactionConfig) =>
      action === undefined ? open(undefined as never, options) : transact(connectionPool, action, options),
  });
  return db;
}

type Action = (trx: Db) => Promise<unknown>;

/** Callbacks to run after commit, by transaction. */
const commitCallbacks = new WeakMap<Db, (() => void)[]>();

/**
 * Replaces Knex's own, which creates another Knex per transaction; that costs more than inserting a row. Afterwards `trx`
 * throws, since its connection may already be in another transaction.
 */
async function transact(
  pool: ConnectionPool,
  action: Action,
  options: Knex.TransactionConfig = {},
): Promise<unknown> {
  const startedAt = performance.now();
  const connection = await pool.connect();
  const { proxy: trx, revoke } = Proxy.revocable(knexOn(connection), {});
  const callbacks: (() => void)[] = [];
  commitCallbacks.set(trx, callbacks);
  let broken: Error | undefined;
  try {
    await connection.query(begin(options));
    const result = await action(trx);
    // Includes the wait for a connection: by now the client has received 503.
    if (performance.now() - startedAt > pool.limit) throw new TimeoutError('The transaction took too long.');
    const { command } = await connection.query('commit');
    // If the action ignored a failed statement, PostgreSQL rolls back on commit without an error.
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command} instead of COMMIT.`);
    for (const callback of callbacks) callback();
    return result;
  } catch (error) {
    await connection.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    revoke();
    connection.release(broken);
  }
}

/** In Knex's types, both options are SQL keywords. */
function begin({ isolationLevel, readOnly }: Knex.TransactionConfig): string {
  return ['begin', isolationLevel && `isolation level ${isolationLevel}`, readOnly && 'read only']
    .filter(Boolean)
    .join(' ');
}

const instances = new WeakMap<pg.PoolClient, Knex>();

/** A Knex bound to this connection; its transactions are savepoints. */
function knexOn(connection: pg.PoolClient): Knex {
  const cached = instances.get(connection);
  if (cached !== undefined) return cached;
  const instance = knex({ client: 'pg', compileSqlOnError: false });
  instance.isTransaction = true;
  Object.assign(instance.client, {
    transacting: true,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
  });
  instances.set(connection, instance);
  return instance;
}

/** The pool of a Knex that createKnex() returned. */
export function poolOf(db: Db): pg.Pool {
  return db.client.config.connectionPool;
}

/**
 * Runs the action right after commit, before the promise of the transaction resolves; never after a rollback. Throws
 * unless `trx` is a running transaction.
 */
export function afterCommit(trx: Db, action: () => void): void {
  const actions = commitCallbacks.get(trx);
  if (actions === undefined)
    throw new Error('afterCommit() requires a running transaction, not a savepoint.');
  actions.push(action);
}
