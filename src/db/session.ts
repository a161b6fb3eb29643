import { placeOf } from '../config-values.ts';
import { placed } from './placed.ts';
import { Connection } from './pool/connection.ts';

/** Milliseconds. Long, because a server may be starting. */
const CONNECT_TIMEOUT = 30_000;

export type OpenSession = Connection;

/** Runs a task on one connection without time limits, for work that is as long as the database is large. */
export async function withSession<Result>(
  url: string,
  task: (session: OpenSession) => Promise<Result>,
): Promise<Result> {
  const session = new Connection({
    connectionString: url,
    application_name: 'lead-pipeline-api backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  try {
    await session.connect().catch((error: unknown) => {
      throw placed(error, { place: placeOf(url) });
    });
    await session.query(
      `select set_config(name, '0', false) from pg_settings
       where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout',
         'idle_in_transaction_session_timeout', 'idle_session_timeout')`,
    );
    return await task(session);
  } finally {
    await session.end().catch(() => undefined);
  }
}

/** The first row of a query that always has one. */
export async function one<Row extends object>(
  session: OpenSession,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  return (await session.query<Row>(text, values)).rows[0] as Row;
}
