import pg from 'pg';
import type { Connection } from './connection.ts';
import { TimeoutError } from './deadline.ts';
import { PooledConnection } from './pooled-connection.ts';
import { FormerPrimaryError, type Primary } from './primary.ts';
import { askServer, isSameServer } from './server.ts';
import { sessionTimeouts } from './timeouts.ts';
import { types } from './types.ts';
import { findWorkingPids } from './working-pids.ts';

/** All in milliseconds. Maximum time to hold a connection. Above statement_timeout, so that PostgreSQL's own error comes first. */
export const HOLD_TIMEOUT = 15_500;
/** Maximum time to wait for a free connection or to open one, before the request gets 503. */
const ACQUIRE_TIMEOUT = 5_000;
/** The same for a replica: after this time, the primary is read. */
const REPLICA_ACQUIRE_TIMEOUT = 1_000;
/** Idle connections are closed after this time. */
const IDLE_TIMEOUT = 30_000;
/**
 * PostgreSQL closes connections that are idle for longer. It does not hear of those that the network dropped, and each takes
 * one of its max_connections.
 */
const SESSION_IDLE_TIMEOUT = 60_000;
/** Idle time before the kernel sends TCP keepalive probes. */
const KEEP_ALIVE_DELAY = 10_000;
/** A connection that has been idle for this time is validated before use. */
const VALIDATE_AFTER = 1_000;
/** So is one that is used all the time, if it was not validated for so long: its server may no longer be the primary. */
const REVALIDATE_AFTER = 5_000;
/** Timeout for validating a connection, and for preparing a new one. */
const VALIDATION_TIMEOUT = 1_000;
/** A connection held for longer than this is slow: the server is asked for its state. */
const SLOW_AFTER = 4_000;
/** The same for a replica, whose queries can be run on the primary. */
const REPLICA_SLOW_AFTER = 2_000;
/** Intervals for checking the held connections, and for asking the server about slow ones. */
const CHECK_INTERVAL = 250;
const PROBE_INTERVAL = 1_000;

/** The server has been working on a query for too long. `code` is PostgreSQL's for a canceled query. */
class QueryTimeoutError extends Error {
  override name = 'QueryTimeoutError';
  override message = 'A connection to the database was held for too long.';
  readonly code = '57014';
}

interface PoolOptions {
  /** Maximum time to hold a connection, in milliseconds. */
  limit: number;
  isPooled: boolean;
  /** What is known of the primary that the connections lead to. Undefined if they lead to replicas. */
  primary: Primary | undefined;
}

interface Hold {
  since: number;
  /** When the server was last seen working on it. */
  workingAt: number;
}

/**
 * A pool whose connections can't hang: whatever the server or the network does, the holder of a connection gets a result
 * or an error within the limit. A dead TCP connection raises no error, so
 * - an idle connection is validated before it is handed out, and one that is never idle now and then;
 * - if a connection gives no answer for a while, the server is asked over another one whether it is working on it, unless
 *   a pooler hides which server process that is;
 * - a connection held beyond the limit is terminated.
 */
export class ConnectionPool extends pg.Pool {
  /** Maximum time to hold a connection, in milliseconds. */
  readonly limit: number;
  readonly #url: string;
  readonly #isPooled: boolean;
  readonly #primary: Primary | undefined;
  readonly #held = new Map<Connection, Hold>();
  readonly #idleSince = new WeakMap<Connection, number>();
  readonly #validatedAt = new WeakMap<Connection, number>();
  #probedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, size: number, { limit, isPooled, primary }: PoolOptions) {
    super({
      connectionString: url,
      Client: PooledConnection,
      types,
      application_name: 'lead-pipeline-api',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
      // A query need not wait for the answer to the one before it.
      pipeline: true,
      // Poolers refuse or ignore them: there, they are settings of the role.
      ...(!isPooled && sessionTimeouts),
      max: size,
      connectionTimeoutMillis: primary === undefined ? REPLICA_ACQUIRE_TIMEOUT : ACQUIRE_TIMEOUT,
      // A pooler's sessions are shared, and what it reports may be of an earlier time.
      ...(!isPooled && { verify: prepareSession(primary) }),
      idleTimeoutMillis: IDLE_TIMEOUT,
    });
    this.limit = limit;
    this.#url = url;
    this.#isPooled = isPooled;
    this.#primary = primary;
    primary?.onChange(() => this.#terminateFormer());
    // The pool drops a broken connection; its user gets the error from the query.
    this.on('error', () => undefined);
    this.on('connect', (connection) => {
      connection.on('error', () => undefined);
      this.#validatedAt.set(toConnection(connection), performance.now());
    });
    this.on('acquire', (connection) => {
      this.#held.set(toConnection(connection), {
        since: performance.now(),
        workingAt: Number.NEGATIVE_INFINITY,
      });
    });
    this.on('release', (_error, connection) => {
      this.#held.delete(toConnection(connection));
      this.#idleSince.set(toConnection(connection), performance.now());
    });
    const timer = setInterval(
      () => (this.ended ? clearInterval(timer) : this.#check()),
      CHECK_INTERVAL,
    ).unref();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, connection) => (connection === undefined ? reject(error) : resolve(connection))),
      );
    }
    super.connect((error, connection, release) => {
      if (connection === undefined || this.#isFresh(connection)) return callback(error, connection, release);
      this.#validate(toConnection(connection)).then(
        () => callback(undefined, connection, release),
        () => {
          release(true);
          this.dropIdle();
          this.connect(callback);
        },
      );
    });
    return undefined;
  }

  #isFresh(connection: pg.PoolClient): boolean {
    const now = performance.now();
    const idleSince = this.#idleSince.get(toConnection(connection)) ?? now;
    const validatedAt = this.#validatedAt.get(toConnection(connection)) ?? now;
    return now - idleSince < VALIDATE_AFTER && now - validatedAt < REVALIDATE_AFTER;
  }

  async #validate(connection: Connection): Promise<void> {
    const server = await askServer(connection, VALIDATION_TIMEOUT);
    if (!this.#isPooled) this.#primary?.check(server);
    this.#validatedAt.set(connection, performance.now());
  }

  /** Another server has taken over: what is running on the one before it must not be committed there. */
  #terminateFormer(): void {
    for (const connection of this.#held.keys()) {
      if (connection.server !== undefined && this.#primary?.isFormer(connection.server))
        connection.terminate(new FormerPrimaryError());
    }
    this.dropIdle();
  }

  /** If the network broke one connection, it has probably broken the idle ones too. */
  dropIdle(): void {
    for (let idle = this.idleCount; idle > 0; idle -= 1) {
      super.connect((_error, connection) => connection?.release(true));
    }
  }

  #check(): void {
    const now = performance.now();
    const slowAfter = this.#primary === undefined ? REPLICA_SLOW_AFTER : SLOW_AFTER;
    const slow: Connection[] = [];
    for (const [connection, { since, workingAt }] of this.#held) {
      if (now - since > this.limit)
        connection.terminate(
          now - workingAt < SLOW_AFTER
            ? new QueryTimeoutError()
            : new TimeoutError('The database did not answer.'),
        );
      else if (now - since > slowAfter) slow.push(connection);
    }
    if (this.#isPooled || slow.length === 0 || now - this.#probedAt < PROBE_INTERVAL) return;
    this.#probedAt = now;
    void this.#terminateDead(slow);
  }

  async #terminateDead(connections: readonly Connection[]): Promise<void> {
    const holds = connections.map((connection) => this.#held.get(connection));
    const pids = connections.map(({ processID }) => processID);
    const working = await findWorkingPids(this.#url, pids, VALIDATION_TIMEOUT).catch(() => undefined);
    const dead = connections.filter((connection, index) => {
      const hold = holds[index];
      // It may have been released meanwhile.
      if (hold === undefined || this.#held.get(connection) !== hold) return false;
      // Without an answer nothing is known, and the limit still applies. What was to be read from a replica has another way.
      if (working === undefined) return this.#primary === undefined;
      if (connection.server === undefined || !isSameServer(connection.server, working.server)) return false;
      if (working.pids.has(connection.processID)) hold.workingAt = performance.now();
      return !working.pids.has(connection.processID);
    });
    for (const connection of dead) connection.terminate();
    if (dead.length > 0) this.dropIdle();
  }
}

type ConnectCallback = (
  error: Error | undefined,
  connection: pg.PoolClient | undefined,
  release: (destroy?: boolean | Error) => void,
) => void;

/** The pool creates no other clients. */
function toConnection(connection: pg.ClientBase): Connection {
  return connection as Connection;
}

/** In the terms of pg-pool: calls back with an error if the new connection must not be used. */
function prepareSession(primary: Primary | undefined) {
  return (connection: pg.ClientBase, done: (error?: Error) => void): void => {
    const settings = `set_config('idle_session_timeout', '${SESSION_IDLE_TIMEOUT}', false)`;
    askServer(connection, VALIDATION_TIMEOUT, settings)
      .then((server) => {
        toConnection(connection).server = server;
        primary?.check(server, true);
      })
      .then(() => done(), done);
  };
}
