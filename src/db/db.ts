import type pg from 'pg';
import { isStalePlan, isStandby } from './errors.ts';
import { TimeoutError } from './pool/deadline.ts';
import { createNotifier } from './pool/notifier.ts';
import { ConnectionPool, HOLD_TIMEOUT } from './pool/pool.ts';
import type { Route } from './pool/route.ts';
import { type Query, type Statement, sql, toStatement, toUnnamed } from './query.ts';
import { type TraceQuery, untraced } from './trace.ts';

interface TransactionOptions {
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

interface DatabaseOptions extends Partial<Pick<Route, 'isPooled' | 'preparedStatements'>> {
  /** Maximum time to hold a connection, in milliseconds. */
  limit?: number;
  /** Whether it is only read, and another one if it has no connection soon. */
  isReplica?: boolean;
  trace?: TraceQuery | undefined;
}

/** The database of one environment: at most `poolSize` connections, opened on demand. */
export class Database implements Db {
  readonly #pool: ConnectionPool;
  readonly #toStatement: typeof toStatement;
  readonly #trace: TraceQuery;
  // Not traced: a round notifies for any number of requests.
  readonly notify = createNotifier((channels) =>
    this.#pool.query(
      toStatement(sql`select pg_notify(channel, '') from unnest(${channels}::text[]) as channel`),
    ),
  );

  constructor(
    url: string,
    poolSize: number,
    {
      limit = HOLD_TIMEOUT,
      isPooled = false,
      isReplica = false,
      preparedStatements = true,
      trace = untraced,
    }: DatabaseOptions = {},
  ) {
    this.#pool = new ConnectionPool(url, poolSize, { limit, isPooled, isReplica });
    this.#toStatement = preparedStatements ? toStatement : toUnnamed;
    this.#trace = trace;
  }

  async run<Row>(query: Query<Row> | Statement<Row>): Promise<Row[]> {
    const statement = this.#toStatement(query);
    const traced = 'text' in query ? query : statement;
    for (let stale = 0; ; stale += 1) {
      try {
        const { rows } = await this.#trace(traced, () => this.#pool.query(statement));
        return rows;
      } catch (error) {
        // The pool closes the connection, but each of the others may have the same plan.
        if (!isStalePlan(error) || stale === this.#pool.options.max) throw error;
      }
    }
  }

  async transaction<Result>(
    work: (trx: Db) => Promise<Result>,
    { isolation, readOnly = false, dryRun = false }: TransactionOptions = {},
  ): Promise<Result> {
    const startedAt = performance.now();
    const connection = await this.#trace({ name: 'connect', text: '' }, () => this.#pool.connect());
    const trx = new Transaction(connection, this.notify, this.#toStatement, this.#trace);
    let broken: Error | undefined;
    try {
      const level = isolation === undefined ? '' : ` isolation level ${isolation}`;
      const begun = connection.query(`begin${level}${readOnly ? ' read only' : ''}`);
      // Not awaited here: the first statement follows at once. Without a connection both fail.
      begun.catch(() => undefined);
      const result = await work(trx);
      await begun;
      // Includes the wait for a connection: by now the client has received 503.
      if (performance.now() - startedAt > this.#pool.limit)
        throw new TimeoutError('The transaction took too long.');
      await (dryRun ? connection.query('rollback') : trx.commit());
      return result;
    } catch (error) {
      if (isStalePlan(error)) broken = error as Error;
      if (isStandby(error)) {
        broken = error;
        this.#pool.dropIdle();
      }
      await connection.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      trx.end();
      connection.release(broken);
    }
  }

  afterCommit(): never {
    throw new Error('afterCommit() requires a transaction.');
  }

  /** How many connections there are, how many of them are idle, how many wait for one, and how many there may be. */
  connections(): Record<'size' | 'idle' | 'waiting' | 'max', number> {
    const { totalCount: size, idleCount: idle, waitingCount: waiting, options } = this.#pool;
    return { size, idle, waiting, max: options.max ?? 0 };
  }

  /** Ends all connections. What is running on them fails, what comes next gets new ones. */
  terminateConnections(): void {
    this.#pool.terminateAll();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

class Transaction implements Db {
  /** Undefined after the end: the connection may already be in another transaction. */
  #connection: pg.PoolClient | undefined;
  readonly #actions: (() => void)[] = [];
  readonly #notify: Db['notify'];
  readonly #toStatement: typeof toStatement;
  readonly #trace: TraceQuery;

  constructor(
    connection: pg.PoolClient,
    notify: Db['notify'],
    statementOf: typeof toStatement,
    trace: TraceQuery,
  ) {
    this.#connection = connection;
    this.#notify = notify;
    this.#toStatement = statementOf;
    this.#trace = trace;
  }

  async run<Row>(query: Query<Row> | Statement<Row>): Promise<Row[]> {
    const statement = this.#toStatement(query);
    const { rows } = await this.#trace('text' in query ? query : statement, () =>
      this.#open().query(statement),
    );
    return rows;
  }

  async transaction<Result>(
    work: (trx: Db) => Promise<Result>,
    { isolation, readOnly, dryRun = false }: TransactionOptions = {},
  ): Promise<Result> {
    if (isolation !== undefined || readOnly !== undefined)
      throw new Error('A savepoint has the isolation and the access mode of its transaction.');
    const connection = this.#open();
    const before = this.#actions.length;
    const rollback = async () => {
      this.#actions.splice(before);
      await connection.query('rollback to savepoint nested; release savepoint nested');
    };
    await connection.query('savepoint nested');
    try {
      const result = await work(this);
      await (dryRun ? rollback() : connection.query('release savepoint nested'));
      return result;
    } catch (error) {
      // If this fails as well, so does the commit.
      await rollback().catch(() => undefined);
      throw error;
    }
  }

  afterCommit(action: () => void): void {
    this.#open();
    this.#actions.push(action);
  }

  notify(channel: string): void {
    this.afterCommit(() => this.#notify(channel));
  }

  async commit(): Promise<void> {
    const { command } = await this.#trace({ text: 'commit' }, () => this.#open().query('commit'));
    // If the work ignored a failed statement, PostgreSQL rolls back on commit without an error.
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command} instead of COMMIT.`);
    for (const action of this.#actions) action();
  }

  end(): void {
    this.#connection = undefined;
  }

  #open(): pg.PoolClient {
    if (this.#connection === undefined) throw new Error('The transaction has ended.');
    return this.#connection;
  }
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
