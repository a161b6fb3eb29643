import { Deadline } from '../values/deadline.ts';
import type { Db, TransactionOptions } from './db.ts';
import { isConflict, isStalePlan, isStandby } from './errors.ts';
import { createMarks } from './marks.ts';
import { createNotifier } from './pool/notifier.ts';
import { ConnectionPool, QUERY_TIMEOUT } from './pool/pool.ts';
import { createPrimary, type Primary } from './pool/primary.ts';
import { type Prove, StaleReplicaError } from './pool/prove.ts';
import type { Route } from './pool/route.ts';
import type { Server } from './pool/server.ts';
import { type Query, type Statement, sql, toStatement, toUnnamed } from './query.ts';
import { type TraceQuery, untraced } from './trace.ts';
import { Transaction } from './transaction.ts';

/** How often a transaction that others disturb is tried. */
const MAX_ATTEMPTS = 3;

interface DatabaseOptions extends Partial<Pick<Route, 'isPooled' | 'preparedStatements'>> {
  /** Maximum time for a query, and for a transaction including the wait for its connection. Milliseconds. */
  limit?: number;
  /** Checks that connections reach the primary. */
  primary?: Primary;
  /** For replicas: rejects if the server of a connection must not be read. Each query then gets a transaction. */
  prove?: Prove;
  trace?: TraceQuery | undefined;
}

/** The database of one environment: at most `poolSize` connections, opened on demand. */
export class Database implements Db {
  readonly #pool: ConnectionPool;
  readonly #toStatement: typeof toStatement;
  readonly #trace: TraceQuery;
  readonly #prove: Prove | undefined;
  readonly #limit: number;
  /** The last events that were committed. */
  readonly marks = createMarks();
  // Not traced: one query notifies on behalf of many requests.
  readonly notify = createNotifier((channels) =>
    this.#pool.query(
      toStatement(sql`select pg_notify(channel, '') from unnest(${channels}::text[]) as channel`),
    ),
  );

  constructor(
    url: string,
    poolSize: number,
    {
      limit = QUERY_TIMEOUT,
      isPooled = false,
      preparedStatements = true,
      primary = createPrimary(),
      prove,
      trace = untraced,
    }: DatabaseOptions = {},
  ) {
    this.#pool = new ConnectionPool(url, poolSize, {
      queryTimeout: limit,
      isPooled,
      primary: prove ? undefined : primary,
    });
    this.#limit = limit;
    this.#toStatement = preparedStatements ? toStatement : toUnnamed;
    this.#trace = trace;
    this.#prove = prove;
  }

  async run<Row>(query: Query<Row> | Statement<Row>, deadline?: Deadline): Promise<Row[]> {
    if (this.#prove !== undefined) {
      const limit = deadline === undefined ? {} : { deadline };
      return this.transaction((trx) => trx.run(query), { readOnly: true, ...limit });
    }
    const statement = this.#toStatement(query);
    const traced = 'text' in query ? query : statement;
    for (let stale = 0; ; stale += 1) {
      try {
        return await this.#trace(traced, () => this.#pool.query<Row & object>(statement, deadline));
      } catch (error) {
        // The pool closes this connection, but the others may have the same stale plan.
        if (!isStalePlan(error) || stale === this.#pool.connections().max) throw error;
      }
    }
  }

  async transaction<Result>(
    work: (trx: Db) => Promise<Result>,
    { deadline = new Deadline(this.#limit), attempts = MAX_ATTEMPTS, ...options }: TransactionOptions = {},
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(work, { ...options, deadline });
      } catch (error) {
        // What only reads may have sent rows to the client.
        const mayRepeat = !options.readOnly && attempt < attempts && deadline.left > 0;
        if (!mayRepeat || !isConflict(error)) throw error;
      }
    }
  }

  async #attempt<Result>(
    work: (trx: Db) => Promise<Result>,
    { isolation, readOnly = false, dryRun = false, deadline }: TransactionOptions & { deadline: Deadline },
  ): Promise<Result> {
    const connection = await this.#trace({ name: 'connect', text: '' }, () => this.#pool.acquire());
    const trx = new Transaction(connection, deadline, this, this.#toStatement, this.#trace);
    let broken: Error | undefined;
    try {
      const level = isolation === undefined ? '' : ` isolation level ${isolation}`;
      deadline.check();
      const limit = this.#pool.limitTransaction(deadline);
      const begun = connection.query(`begin${level}${readOnly ? ' read only' : ''}${limit}`);
      // Not awaited here, so that the first statement takes the same round trip. If this fails, both do.
      begun.catch(() => undefined);
      await this.#prove?.(connection);
      const result = await work(trx);
      await begun;
      await (dryRun ? trx.settle().then(() => connection.query('rollback')) : trx.commit());
      return result;
    } catch (thrown) {
      const error = await trx.causeOf(thrown);
      if (isStalePlan(error) || isStandby(error) || error instanceof StaleReplicaError)
        broken = error as Error;
      await connection.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      trx.end();
      connection.release(broken);
    }
  }

  send(): never {
    throw new Error('send() requires a transaction.');
  }

  afterCommit(): never {
    throw new Error('afterCommit() requires a transaction.');
  }

  remember(): never {
    throw new Error('remember() requires a transaction.');
  }

  connections(): ReturnType<ConnectionPool['connections']> {
    return this.#pool.connections();
  }

  /** The server that queries currently reach. */
  server(): Promise<Server> {
    return this.#pool.server();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
