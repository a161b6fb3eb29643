import pg from 'pg';
import { type Report, takeLock } from '../db/advisory-lock.ts';

/** Advisory lock id: arbitrary, but the same in every process. */
const LOCK = 7_305_822_403;
/** Maximum wait for another process. Milliseconds. */
const MAX_WAIT = 60_000;

/**
 * Runs a task in one process at a time, of all that use the server of this database. Advisory locks are per database, so all
 * of them lock in the one that each server has.
 */
export async function exclusively<Result>(
  databaseUrl: string,
  report: Report,
  task: () => Promise<Result>,
): Promise<Result> {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  // A running query reports the error itself.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await takeLock(client, LOCK, { task: 'is changing credentials.json', limit: MAX_WAIT, report });
    return await task();
  } finally {
    await client.end().catch(() => undefined);
  }
}
