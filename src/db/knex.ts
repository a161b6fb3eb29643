import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { Overdue } from './deadline.ts';
import { ConnectionPool, HOLD_LIMIT } from './pool.ts';

/** A connection pool, or one transaction of it. */
export type Db = Knex;

/**
 * The pool of one environment's database: `poolSize` connections at most, none of them opened before it is needed, each
 * held for `limit` milliseconds at most. It is node-postgres' own, which run() in statement.ts goes to directly.
 * destroy() ends it.
 */
export function createKnex(url: string, poolSize: number, limit = HOLD_LIMIT): Knex {
  const connectionPool = new ConnectionPool(url, poolSize, limit);
  // Without it an error's message has the values that were bound, people's names and addresses among them.
  const db = knex({ client: 'pg', connectionPool, compileSqlOnError: false });
  const destroy = db.destroy.bind(db);
  // Knex leaves a pool alone that it was given; nobody else has this one.
  Object.defineProperty(db, 'destroy', {
    value: async () => {
      await destroy();
      await connectionPool.end();
    },
  });
  const open = db.transaction.bind(db);
  // Without an action, when the caller ends it himself, it is Knex's own.
  Object.defineProperty(db, 'transaction', {
    value: (action?: Action, options?: Knex.TransactionConfig) =>
      action === undefined ? open(undefined as never, options) : transact(connectionPool, action, options),
  });
  return db;
}

type Action = (trx: Db) => Promise<unknown>;

/** What waits for the commit of a running transaction. */
const afterCommits = new WeakMap<Db, (() => void)[]>();

/**
 * Knex's own makes another Knex for each, which costs more than the insert of a row. When it is over, `trx` throws: its
 * connection may already be in somebody else's transaction.
 */
async function transact(
  pool: ConnectionPool,
  action: Action,
  options: Knex.TransactionConfig = {},
): Promise<unknown> {
  const asked = performance.now();
  const connection = await pool.connect();
  const { proxy: trx, revoke } = Proxy.revocable(knexOn(connection), {});
  const committed: (() => void)[] = [];
  afterCommits.set(trx, committed);
  let broken: Error | undefined;
  try {
    await connection.query(begin(options));
    const result = await action(trx);
    // Whoever waited for a connection as well has been told 503 by now.
    if (performance.now() - asked > pool.limit) throw new Overdue('The time is over.');
    const { command } = await connection.query('commit');
    // After a failed statement that the action went on from, PostgreSQL takes all of it back, and says so without an error.
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command} instead of COMMIT.`);
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

/** Both are keywords of Knex's types. */
function begin({ isolationLevel, readOnly }: Knex.TransactionConfig): string {
  return ['begin', isolationLevel && `isolation level ${isolationLevel}`, readOnly && 'read only']
    .filter(Boolean)
    .join(' ');
}

const knexes = new WeakMap<pg.PoolClient, Knex>();

/** A Knex for this connection alone; its transactions are savepoints. */
function knexOn(connection: pg.PoolClient): Knex {
  const known = knexes.get(connection);
  if (known !== undefined) return known;
  const made = knex({ client: 'pg', compileSqlOnError: false });
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
