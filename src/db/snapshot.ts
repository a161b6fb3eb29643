import type { Db } from './db.ts';
import { Connection } from './pool/connection.ts';
import type { Prove } from './pool/prove.ts';
import { sessionTimeouts, setLocal } from './pool/timeouts.ts';
import { types } from './pool/types.ts';
import { knex, type Query, type Statement, sql, toStatement } from './query.ts';

/** Rows per batch. A row can have 25 KB. */
const BATCH = 100;
/** All in milliseconds. Longer than a statement may take. Without a response by then, the network or the server is dead. */
const ANSWER_TIMEOUT = 16_000;
const CONNECT_TIMEOUT = 5_000;
/** Maximum time for a reader to handle a batch. */
const READER_TIMEOUT = 300_000;

const begin = `begin isolation level repeatable read read only; ${setLocal({
  ...sessionTimeouts,
  idle_in_transaction_session_timeout: READER_TIMEOUT,
})}`;

const fetchBatch: Query<unknown> = knex.raw(`fetch ${BATCH} from snapshot`);

/** Rows of a snapshot, and what reads more from it until the next ones are asked for. */
export interface SnapshotRows<Row> {
  rows: Row[];
  snapshot: Pick<Db, 'run'>;
}

/** A database to read from. */
export interface SnapshotSource {
  url: string;
  /** Rejects if the server of the connection must not be read. */
  prove?: Prove;
  /** Called when reading failed. */
  onFailure?(error: unknown): void;
}

/**
 * Reads the rows of a query in batches, all from one snapshot. Opens its own connection, which may be held for long and idle.
 * When the signal aborts, the connection ends immediately, and a running query fails.
 */
export async function* readSnapshot<Row>(
  { url, prove }: SnapshotSource,
  query: Query<Row>,
  signal: AbortSignal,
): AsyncGenerator<SnapshotRows<Row>> {
  const connection = new Connection({
    connectionString: url,
    types,
    application_name: 'lead-pipeline-api snapshot',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
  });
  const run = async <Result>(statement: Query<Result> | Statement<Result>): Promise<Result[]> =>
    (await connection.query(toStatement(statement))).rows;
  const abort = () => connection.terminate();
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    await connection.connect();
    // Stops the query if its connection has ended. Some operating systems don't support this setting.
    await connection
      .query(`${begin}; set local client_connection_check_interval = '1s'`)
      .catch(() => connection.query(`rollback; ${begin}`));
    await prove?.(connection);
    await run(sql`declare snapshot no scroll cursor for ${query}`);
    for (;;) {
      const rows = await run(fetchBatch as Query<Row>);
      if (rows.length === 0) return;
      yield { rows, snapshot: { run } };
    }
  } finally {
    signal.removeEventListener('abort', abort);
    void connection.end().catch(() => undefined);
  }
}
