import type { Query, Statement } from './query.ts';

export interface TransactionOptions {
  /** Default: read committed. Not for a savepoint. */
  isolation?: 'repeatable read';
  /** Not for a savepoint. */
  readOnly?: boolean;
  /** Rolls back in any case, to see what the work would do. */
  dryRun?: boolean;
}

/** A connection pool, or the connection of one transaction. */
export interface Db {
  run<Row>(query: Query<Row> | Statement<Row>): Promise<Row[]>;
  /**
   * Sends a query for whose outcome only the commit waits: one round trip for both. `onRows` gets its rows before the actions
   * after commit. Throws outside of a transaction.
   */
  send<Row>(query: Query<Row> | Statement<Row>, onRows?: (rows: Row[]) => void): void;
  /** Commits when `work` resolves, rolls back when it rejects. Within a transaction: a savepoint. */
  transaction<Result>(work: (trx: Db) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /**
   * Runs the action right after commit, before the promise of the transaction resolves; never after a rollback, of the
   * savepoint either. Throws outside of a transaction.
   */
  afterCommit(action: () => void): void;
  /**
   * Notifies the channel, in a transaction once it has committed. Not in the transaction itself: PostgreSQL commits
   * transactions with notifications one at a time.
   */
  notify(channel: string): void;
}

/** The first row. Undefined if there is none. */
export async function first<Row>(db: Db, query: Query<Row> | Statement<Row>): Promise<Row | undefined> {
  const [row] = await db.run(query);
  return row;
}

/** The row of a query that always returns one, such as an insert or a count. */
export async function one<Row>(db: Db, query: Query<Row> | Statement<Row>): Promise<Row> {
  const row = await first(db, query);
  if (row === undefined) throw new Error('The query returned no row.');
  return row;
}
