import type { Db } from './db.ts';
import { knex } from './query.ts';

/** Counts the rows. Serializes transactions that count the rows before they add one, until this one ends. */
export async function lockCount(trx: Db, table: string): Promise<number> {
  // Two statements, so that the count includes rows added while waiting for the lock.
  await trx.run(knex.raw('select pg_advisory_xact_lock(?::regclass::oid::int, 0)', [table]));
  const [row] = await trx.run<{ count: number }>(knex(table).select(knex.raw('count(*)::int as count')));
  return row?.count ?? 0;
}
