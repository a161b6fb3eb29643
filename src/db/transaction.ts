import type pg from 'pg';
import type { Deadline } from '../values/deadline.ts';
import type { Db, TransactionOptions } from './db.ts';
import { commitError } from './errors.ts';
import type { createMarks, Mark } from './marks.ts';
import type { Query, Statement, toStatement } from './query.ts';
import type { TraceQuery } from './trace.ts';

/** The connection of one transaction that has begun. */
export class Transaction implements Db {
  /** Undefined after the end: the connection may already be in another transaction. */
  #connection: pg.PoolClient | undefined;
  readonly #actions: (() => void)[] = [];
  readonly #deadline: Deadline;
  /** Results of send() that nobody has awaited yet. */
  #sent: Promise<void>[] = [];
  readonly #notify: Db['notify'];
  readonly #marks: ReturnType<typeof createMarks>;
  readonly #toStatement: typeof toStatement;
  readonly #trace: TraceQuery;

  constructor(
    connection: pg.PoolClient,
    deadline: Deadline,
    { notify, marks }: Pick<Transaction, 'notify'> & { marks: ReturnType<typeof createMarks> },
    statementOf: typeof toStatement,
    trace: TraceQuery,
  ) {
    this.#connection = connection;
    this.#deadline = deadline;
    this.#notify = notify;
    this.#marks = marks;
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

  send<Row>(query: Query<Row> | Statement<Row>, onRows: (rows: Row[]) => void = () => undefined): void {
    const done = this.run(query).then(onRows);
    done.catch(() => undefined);
    this.#sent.push(done);
  }

  /** Waits for all results of send(). Throws if one of them failed. */
  async settle(): Promise<void> {
    const sent = this.#sent;
    this.#sent = [];
    await Promise.all(sent);
  }

  /** Returns the error of an earlier send() instead, if that failed: it makes PostgreSQL reject every later statement. */
  async causeOf(error: unknown): Promise<unknown> {
    return this.settle().then(
      () => error,
      (cause) => cause,
    );
  }

  async transaction<Result>(
    work: (trx: Db) => Promise<Result>,
    { isolation, readOnly, dryRun = false }: TransactionOptions = {},
  ): Promise<Result> {
    if (isolation !== undefined || readOnly !== undefined)
      throw new Error('A savepoint has the isolation and the access mode of its transaction.');
    const connection = this.#open();
    // Earlier sends may still add actions. These belong to the transaction, not to the savepoint.
    await this.settle();
    const before = this.#actions.length;
    const rollback = async () => {
      this.#actions.splice(before);
      await connection.query('rollback to savepoint nested; release savepoint nested');
    };
    await connection.query('savepoint nested');
    try {
      const result = await work(this);
      await this.settle();
      await (dryRun ? rollback() : connection.query('release savepoint nested'));
      return result;
    } catch (thrown) {
      const error = await this.causeOf(thrown);
      // If this fails as well, so does the commit.
      await rollback().catch(() => undefined);
      throw error;
    }
  }

  /** Also when the time is up: a statement that was sent before may still be answered, and its commit succeed. */
  afterCommit(action: () => void): void {
    this.#own();
    this.#actions.push(action);
  }

  notify(channel: string): void {
    this.afterCommit(() => this.#notify(channel));
  }

  remember(mark: Mark): void {
    const connection = this.#own();
    this.afterCommit(() => this.#marks.set(connection, mark));
  }

  async commit(): Promise<void> {
    const commit = this.#trace({ text: 'commit' }, () => this.#open().query('commit'));
    const [ended, sent] = await Promise.allSettled([commit, this.settle()]);
    if (ended.status === 'rejected') throw commitError(ended.reason);
    if (sent.status === 'rejected') throw sent.reason;
    const { command } = ended.value;
    // If the work ignored a failed statement, PostgreSQL rolls back on commit without an error.
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command} instead of COMMIT.`);
    for (const action of this.#actions) action();
  }

  end(): void {
    this.#connection = undefined;
  }

  #open(): pg.PoolClient {
    const connection = this.#own();
    // No statement, retry or commit begins after the client has received 503.
    this.#deadline.check();
    return connection;
  }

  #own(): pg.PoolClient {
    if (this.#connection === undefined) throw new Error('The transaction has ended.');
    return this.#connection;
  }
}
