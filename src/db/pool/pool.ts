import pg from 'pg';
import type { Deadline } from '../../values/deadline.ts';
import { Connection } from './connection.ts';
import type { Primary } from './primary.ts';
import { askServer, type Server } from './server.ts';
import { sessionTimeouts, setLocal } from './timeouts.ts';
import { types } from './types.ts';

/** All in milliseconds. Maximum time for a query. Above statement_timeout, so that PostgreSQL's own error comes first. */
export const QUERY_TIMEOUT = 15_500;
/** Maximum time to wait for a free connection or to open one, before the request gets 503. */
const ACQUIRE_TIMEOUT = 5_000;
/** The same for a replica: after this time, the primary is read. */
const REPLICA_ACQUIRE_TIMEOUT = 1_000;
/** Idle connections are closed after this time. */
const IDLE_TIMEOUT = 30_000;
/**
 * PostgreSQL closes connections that are idle for longer. It does not notice that the network dropped them, and each counts
 * towards max_connections.
 */
const SESSION_IDLE_TIMEOUT = 60_000;
/** A connection that was not validated for this time is validated before use. */
const VALIDATE_AFTER = 1_000;
/** Timeout for validating a connection. */
const VALIDATION_TIMEOUT = 1_000;

/** The time between two looks at whether this process is blocked, and the time from which it is. */
const BEAT = 100;
const BLOCKED = 500;

/** The error of node-postgres for a query without an answer. Only the check of a new connection gives it while connecting. */
const UNANSWERED = /^Query read timeout/;

/**
 * Share of the acquire timeout after which one connection attempt is given up. After an outage, the next one may still
 * succeed.
 */
const ATTEMPT_SHARE = 0.6;

class PooledConnection extends Connection {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: ATTEMPT_SHARE * (config.connectionTimeoutMillis ?? 0) });
  }
}

interface PoolOptions {
  /** Maximum time for a query, in milliseconds. */
  queryTimeout: number;
  isPooled: boolean;
  /** Checks that connections lead to the primary. Undefined if they lead to replicas. */
  primary: Primary | undefined;
}

/**
 * A pool whose connections can't hang: whatever the server or the network does, each query gets a result or an error in
 * time. A dead TCP connection raises no error, and neither does a primary that another server has replaced. So a connection
 * is validated before use, at most once a second.
 */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #isPooled: boolean;
  readonly #primary: Primary | undefined;
  /** The setting that limits a transaction. It depends on the server's version. */
  #timeout: 'transaction_timeout' | 'statement_timeout' = 'statement_timeout';
  readonly #validatedAt = new WeakMap<pg.ClientBase, number>();
  /** When a timer was late for the last time. */
  #blockedAt = Number.NEGATIVE_INFINITY;
  readonly #beat: NodeJS.Timeout;

  constructor(url: string, size: number, { queryTimeout, isPooled, primary }: PoolOptions) {
    this.#isPooled = isPooled;
    this.#primary = primary;
    this.#pool = new pg.Pool({
      connectionString: url,
      Client: PooledConnection,
      types,
      application_name: 'lead-pipeline-api',
      // Sends a query without waiting for the previous result.
      pipeline: true,
      query_timeout: Number.isFinite(queryTimeout) ? queryTimeout : 0,
      // Poolers reject or ignore these parameters, so there they must be set on the role.
      ...(!isPooled && sessionTimeouts),
      max: size,
      connectionTimeoutMillis: primary === undefined ? REPLICA_ACQUIRE_TIMEOUT : ACQUIRE_TIMEOUT,
      idleTimeoutMillis: IDLE_TIMEOUT,
      onConnect: (connection) => this.#prepare(connection),
    });
    // The pool drops an idle connection that breaks.
    this.#pool.on('error', () => undefined);
    let lastAt = performance.now();
    // It is due before the time-outs of connections, so it runs before them.
    this.#beat = setInterval(() => {
      const now = performance.now();
      if (now - lastAt > BLOCKED) this.#blockedAt = now;
      lastAt = now;
    }, BEAT).unref();
  }

  /** Returns a connection that works. The caller must release it. */
  async acquire(): Promise<pg.PoolClient> {
    let end = performance.now() + ACQUIRE_TIMEOUT;
    for (;;) {
      const connection = await this.#pool.connect().catch((error: Error) => {
        // The time-out came before the answer was read, which had arrived meanwhile.
        if (this.#wasBlocked()) end = performance.now() + ACQUIRE_TIMEOUT;
        // A busy machine may have been too slow to check a new connection, although nothing is down.
        else if (!UNANSWERED.test(error.message) || performance.now() > end) throw error;
      });
      if (connection === undefined) continue;
      const age = performance.now() - (this.#validatedAt.get(connection) ?? Number.NEGATIVE_INFINITY);
      if (age < VALIDATE_AFTER) return connection;
      try {
        await this.#validate(connection);
        return connection;
      } catch {
        connection.release(true);
        this.#closeIdle();
      }
    }
  }

  /** Runs one query. PostgreSQL ends it at the deadline. */
  async query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig, deadline?: Deadline): Promise<Row[]> {
    const connection = await this.acquire();
    let failure: Error | undefined;
    try {
      deadline?.check();
      // Otherwise the limit of the session ends it soon enough.
      if (deadline === undefined || deadline.left >= sessionTimeouts.statement_timeout)
        return (await connection.query<Row>(statement)).rows;
      const begun = connection.query(`begin; ${setLocal({ statement_timeout: Math.ceil(deadline.left) })}`);
      const [{ rows }] = await Promise.all([
        connection.query<Row>(statement),
        begun,
        connection.query('commit'),
      ]);
      return rows;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      connection.release(failure);
    }
  }

  /** SQL to append to BEGIN, so that PostgreSQL itself ends the transaction; before version 17, each of its statements. */
  limitTransaction({ left: milliseconds }: Deadline): string {
    if (milliseconds === Number.POSITIVE_INFINITY) return '';
    const longest =
      this.#timeout === 'statement_timeout' ? sessionTimeouts.statement_timeout : Number.POSITIVE_INFINITY;
    return `; set local ${this.#timeout} = ${Math.ceil(Math.min(milliseconds, longest))}`;
  }

  /** The server that queries reach at the moment. */
  async server(): Promise<Server> {
    const connection = await this.acquire();
    const server = await askServer(connection, VALIDATION_TIMEOUT).catch((error: Error) => error);
    connection.release(server instanceof Error);
    if (server instanceof Error) throw server;
    return server;
  }

  /** How many connections there are, how many of them are idle, how many requests wait for one, and the maximum. */
  connections(): Record<'size' | 'idle' | 'waiting' | 'max', number> {
    const { totalCount: size, idleCount: idle, waitingCount: waiting, options } = this.#pool;
    return { size, idle, waiting, max: options.max ?? 0 };
  }

  end(): Promise<void> {
    clearInterval(this.#beat);
    return this.#pool.end();
  }

  /** Whether this process has just done something else for so long that its timers are late. */
  #wasBlocked(): boolean {
    return performance.now() - this.#blockedAt < BEAT;
  }

  async #prepare(connection: pg.ClientBase): Promise<void> {
    // Other clients use a pooler's sessions too, so their settings must not change.
    const prepared = this.#isPooled
      ? undefined
      : connection.query(`set idle_session_timeout = ${SESSION_IDLE_TIMEOUT}`);
    await Promise.all([prepared, this.#validate(connection, true)]);
  }

  async #validate(connection: pg.ClientBase, isNew = false): Promise<void> {
    const server = await askServer(connection, VALIDATION_TIMEOUT);
    // Through a pooler, the next transaction may reach another server.
    if (!this.#isPooled) this.#primary?.check(server, isNew);
    this.#timeout = server.version >= 17 ? 'transaction_timeout' : 'statement_timeout';
    this.#validatedAt.set(connection, performance.now());
  }

  /** If the network broke one connection, it has probably broken the idle ones too. */
  #closeIdle(): void {
    for (let idle = this.#pool.idleCount; idle > 0; idle -= 1) {
      this.#pool.connect((_error, connection) => connection?.release(true));
    }
  }
}
