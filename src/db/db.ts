import type { Deadline } from '../values/deadline.ts';
import type { Mark } from './marks.ts';
import type { Query, Statement } from './query.ts';

export interface TransactionOptions {
  /** Default: read committed. Not for a savepoint. */
  isolation?: 'repeatable read';
  /** Not for a savepoint. */
  readOnly?: boolean;
  /** Always rolls back, to see what the work would do. */
  dryRun?: boolean;
  /** How often it is tried if concurrent transactions disturb it. Default: 3. Not for a savepoint. */
  attempts?: number;
  /** When it must have ended. Not for a savepoint. */
  deadline?: Deadline;
}

/** A connection pool, or the connection of one transaction. */
export interface Db {
  /** Outside a transaction, PostgreSQL ends the query at the deadline. */
  run<Row>(query: Query<Row> | Statement<Row>, deadline?: Deadline): Promise<Row[]>;
  /**
   * Sends a query without awaiting it. The commit awaits it, so both take one round trip. `onRows` gets the rows before the
   * actions after commit run. Throws outside a transaction.
   */
  send<Row>(query: Query<Row> | Statement<Row>, onRows?: (rows: Row[]) => void): void;
  /**
   * Commits when `work` resolves, rolls back when it rejects. If concurrent transactions disturb it, runs `work` again in a new
   * one. Within a transaction, uses a savepoint.
   */
  transaction<Result>(work: (trx: Db) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /**
   * Runs the action right after commit, before the transaction's promise resolves. Doesn't run it after a rollback, not even
   * of a savepoint. Throws outside a transaction.
   */
  afterCommit(action: () => void): void;
  /**
   * Notifies the channel. In a transaction, does so after the commit, since PostgreSQL commits transactions that notify one
   * at a time.
   */
  notify(channel: string): void;
  /** Remembers an event after the commit, to notice when the database loses it. Throws outside a transaction. */
  remember(mark: Mark): void;
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
