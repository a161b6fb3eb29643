import pg from 'pg';
import { Connection } from './connection.ts';
import { TimeoutError } from './deadline.ts';
import { PooledConnection } from './pooled-connection.ts';
import { sessionTimeouts } from './timeouts.ts';
import { types } from './types.ts';

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
/** Timeout for validating a connection, and for preparing a new one. */
const VALIDATION_TIMEOUT = 1_000;
/** A connection held for longer than this is slow: the server is asked for its state. */
const SLOW_AFTER = 4_000;
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
  isReplica: boolean;
}

interface Hold {
  since: number;
  /** When the server was last seen working on it. */
  workingAt: number;
}

/**
 * A pool whose connections can't hang: whatever the server or the network does, the holder of a connection gets a result
 * or an error within the limit. A dead TCP connection raises no error, so
 * - an idle connection is validated before it is handed out;
 * - if a connection gives no answer for a while, the server is asked over another one whether it is working on it, unless
 *   a pooler hides which server process that is;
 * - a connection held beyond the limit is terminated.
 */
export class ConnectionPool extends pg.Pool {
  /** Maximum time to hold a connection, in milliseconds. */
  readonly limit: number;
  readonly #url: string;
  readonly #isPooled: boolean;
  readonly #held = new Map<Connection, Hold>();
  readonly #idleSince = new WeakMap<Connection, number>();
  #probedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, size: number, { limit, isPooled, isReplica }: PoolOptions) {
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
      connectionTimeoutMillis: isReplica ? REPLICA_ACQUIRE_TIMEOUT : ACQUIRE_TIMEOUT,
      // A pooler's sessions are shared, and what it reports may be of an earlier time.
      ...(!isPooled && { verify: prepareSession(isReplica) }),
      idleTimeoutMillis: IDLE_TIMEOUT,
    });
    this.limit = limit;
    this.#url = url;
    this.#isPooled = isPooled;
    // The pool drops a broken connection; its user gets the error from the query.
    this.on('error', () => undefined);
    this.on('connect', (connection) => void connection.on('error', () => undefined));
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
      ask(connection, 'select 1').then(
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
    return (
      performance.now() - (this.#idleSince.get(toConnection(connection)) ?? Number.POSITIVE_INFINITY) <
      VALIDATE_AFTER
    );
  }

  /** Ends all connections, those that are held too: what is running on them fails. */
  terminateAll(): void {
    for (const connection of this.#held.keys()) connection.terminate();
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
    const slow: Connection[] = [];
    for (const [connection, { since, workingAt }] of this.#held) {
      if (now - since > this.limit)
        connection.terminate(
          now - workingAt < SLOW_AFTER
            ? new QueryTimeoutError()
            : new TimeoutError('The database did not answer.'),
        );
      else if (now - since > SLOW_AFTER) slow.push(connection);
    }
    if (this.#isPooled || slow.length === 0 || now - this.#probedAt < PROBE_INTERVAL) return;
    this.#probedAt = now;
    void this.#terminateDead(slow);
  }

  async #terminateDead(connections: readonly Connection[]): Promise<void> {
    const holds = connections.map((connection) => this.#held.get(connection));
    // Without an answer nothing is known; the limit still applies.
    const working = await findWorkingPids(this.#url, connections).catch(() => undefined);
    if (working === undefined) return;
    const dead = connections.filter((connection, index) => {
      const hold = holds[index];
      // It may have been released meanwhile.
      if (hold === undefined || this.#held.get(connection) !== hold) return false;
      if (working.has(connection.processID)) hold.workingAt = performance.now();
      return !working.has(connection.processID);
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
function prepareSession(isReplica: boolean) {
  return (connection: pg.ClientBase, done: (error?: Error) => void): void => {
    const { standbyFault } = toConnection(connection);
    if (standbyFault !== undefined && !isReplica) done(standbyFault);
    else ask(connection, `set idle_session_timeout = ${SESSION_IDLE_TIMEOUT}`).then(() => done(), done);
  };
}

async function ask(connection: pg.ClientBase, text: string): Promise<void> {
  await connection.query({ text, query_timeout: VALIDATION_TIMEOUT } as pg.QueryConfig);
}

/** pids of the server processes behind these connections that are working, or were within the last three seconds. */
async function findWorkingPids(url: string, connections: readonly Connection[]): Promise<Set<number>> {
  const client = new Connection({
    connectionString: url,
    application_name: 'lead-pipeline-api pool',
    connectionTimeoutMillis: VALIDATION_TIMEOUT,
    query_timeout: VALIDATION_TIMEOUT,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from unnest($1::int[]) as held(pid)
       where exists (
         select from pg_stat_activity activity where activity.pid = held.pid
           and (coalesce(state, '') not like 'idle%' or state_change > clock_timestamp() - interval '3 seconds')
       )`,
      [connections.map(({ processID }) => processID)],
    );
    return new Set(rows.map(({ pid }) => pid));
  } finally {
    void client.end().catch(() => undefined);
  }
}
