import pg from 'pg';
import { Connection } from './connection.ts';
import { Overdue } from './deadline.ts';

/** All in milliseconds. PostgreSQL ends a query itself after this time. */
const STATEMENT_TIMEOUT = 15_000;
/** How long anybody may hold a connection, whatever becomes of the query: a bit longer, so that PostgreSQL's word comes first. */
export const HOLD_LIMIT = 15_500;
/** How long a request waits for a free connection, or a connection for the server, before it is told 503. */
const ACQUIRE_TIMEOUT = 5_000;
/** How long a connection is kept that nobody uses. */
const IDLE_TIMEOUT = 30_000;
/** How long the kernel waits before it looks whether the other side is still there. */
const KEEP_ALIVE = 10_000;
/** After a rest of this time a connection is proven before it is used. */
const TRUST = 1_000;
/** How long the proof may take. */
const PROOF_TIMEOUT = 1_000;
/** Held for longer than this, a connection is looked after. */
const SLOW = 4_000;
/** Between two looks at the connections that are held, and between two questions about those that are slow. */
const LOOK_INTERVAL = 250;
const QUESTION_INTERVAL = 1_000;

/** The server has been at work on a query for longer than one may take: what PostgreSQL itself says then. */
class TooSlow extends Error {
  override name = 'TooSlow';
  override message = 'A connection to the database was held for too long.';
  readonly code = '57014';
}

interface Hold {
  since: number;
  /** When the server was last seen to work on it. */
  workingAt: number;
}

/**
 * Connections of one database that can't be hung on to: whatever the server or the network does, who holds one has an
 * answer or an error within the limit. A TCP connection that has gone dead gives no sign of it, so
 * - one that has rested is proven before it is handed out;
 * - over one that gives no answer for a while, the server is asked on another one whether it works on it at all;
 * - one that is held beyond the limit is cut.
 */
export class ConnectionPool extends pg.Pool {
  /** How long a connection may be held (milliseconds). */
  readonly limit: number;
  readonly #url: string;
  readonly #held = new Map<Connection, Hold>();
  readonly #restingSince = new WeakMap<Connection, number>();
  readonly #looking: NodeJS.Timeout;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, size: number, limit: number) {
    super({
      connectionString: url,
      Client: Connection,
      application_name: 'lead-pipeline-api',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      statement_timeout: STATEMENT_TIMEOUT,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
      max: size,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT,
      idleTimeoutMillis: IDLE_TIMEOUT,
    });
    this.limit = limit;
    this.#url = url;
    // A connection that breaks is dropped by the pool; whoever was using it has the error from its query.
    this.on('error', () => undefined);
    this.on('connect', (connection) => void connection.on('error', () => undefined));
    this.on('acquire', (connection) => {
      this.#held.set(own(connection), { since: performance.now(), workingAt: Number.NEGATIVE_INFINITY });
    });
    this.on('release', (_error, connection) => {
      this.#held.delete(own(connection));
      this.#restingSince.set(own(connection), performance.now());
    });
    this.#looking = setInterval(() => this.#look(), LOOK_INTERVAL).unref();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Taker): void;
  override connect(callback?: Taker): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, connection) => (connection === undefined ? reject(error) : resolve(connection))),
      );
    }
    super.connect((error, connection, release) => {
      if (connection === undefined || this.#isTrusted(connection))
        return callback(error, connection, release);
      prove(connection).then(
        () => callback(undefined, connection, release),
        () => {
          release(true);
          this.#dropResting();
          this.connect(callback);
        },
      );
    });
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    clearInterval(this.#looking);
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  #isTrusted(connection: pg.PoolClient): boolean {
    return performance.now() - (this.#restingSince.get(own(connection)) ?? Number.POSITIVE_INFINITY) < TRUST;
  }

  /** What the network did to one of them it has done to the others too. */
  #dropResting(): void {
    for (let resting = this.idleCount; resting > 0; resting -= 1) {
      super.connect((_error, connection) => connection?.release(true));
    }
  }

  #look(): void {
    const now = performance.now();
    const slow: Connection[] = [];
    for (const [connection, { since, workingAt }] of this.#held) {
      if (now - since > this.limit)
        connection.cut(now - workingAt < SLOW ? new TooSlow() : new Overdue('The database gave no answer.'));
      else if (now - since > SLOW) slow.push(connection);
    }
    if (slow.length === 0 || now - this.#askedAt < QUESTION_INTERVAL) return;
    this.#askedAt = now;
    void this.#cutDead(slow);
  }

  async #cutDead(connections: readonly Connection[]): Promise<void> {
    const holds = connections.map((connection) => this.#held.get(connection));
    // Without an answer nothing is known; the limit remains.
    const working = await findWorking(this.#url, connections).catch(() => undefined);
    if (working === undefined) return;
    const dead = connections.filter((connection, index) => {
      const hold = holds[index];
      // It may have been given back meanwhile.
      if (hold === undefined || this.#held.get(connection) !== hold) return false;
      if (working.has(connection.processID)) hold.workingAt = performance.now();
      return !working.has(connection.processID);
    });
    for (const connection of dead) connection.cut();
    if (dead.length > 0) this.#dropResting();
  }
}

type Taker = (
  error: Error | undefined,
  connection: pg.PoolClient | undefined,
  release: (destroy?: boolean | Error) => void,
) => void;

/** The pool makes no others. */
function own(connection: pg.ClientBase): Connection {
  return connection as Connection;
}

async function prove(connection: pg.PoolClient): Promise<void> {
  const proof: pg.QueryConfig & { query_timeout: number } = {
    text: 'select 1',
    query_timeout: PROOF_TIMEOUT,
  };
  await connection.query(proof);
}

/**
 * The server's processes (pids) behind these connections that work, or did three seconds ago. Behind a pooler, which gives
 * other pids, each of them is taken to do so.
 */
async function findWorking(url: string, connections: readonly Connection[]): Promise<Set<number>> {
  const asking = new Connection({
    connectionString: url,
    application_name: 'lead-pipeline-api pool',
    connectionTimeoutMillis: PROOF_TIMEOUT,
    query_timeout: PROOF_TIMEOUT,
  });
  asking.on('error', () => undefined);
  try {
    await asking.connect();
    const { rows } = await asking.query<{ pid: number }>(
      `select pid from unnest($1::int[]) as asked(pid)
       where pg_backend_pid() <> $2 or exists (
         select from pg_stat_activity activity where activity.pid = asked.pid
           and (coalesce(state, '') not like 'idle%' or state_change > clock_timestamp() - interval '3 seconds')
       )`,
      [connections.map(({ processID }) => processID), asking.processID],
    );
    return new Set(rows.map(({ pid }) => pid));
  } finally {
    void asking.end().catch(() => undefined);
  }
}
