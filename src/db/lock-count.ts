import type { Db } from './db.ts';
import { knex } from './query.ts';

/** Counts the rows. Until this transaction ends, others wait that want to count them too before they add one. */
export async function lockCount(trx: Db, table: string): Promise<number> {
  // Two statements, so that the count includes rows added while waiting for the lock.
  await trx.run(knex.raw('select pg_advisory_xact_lock(?::regclass::oid::int, 0)', [table]));
  const [row] = await trx.run<{ count: number }>(knex(table).select(knex.raw('count(*)::int as count')));
  return row?.count ?? 0;
}
