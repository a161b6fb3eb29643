import type { Db } from '../db/db.ts';
import { setLocal } from '../db/pool/timeouts.ts';
import { knex } from '../db/query.ts';

/** Changes folded per transaction. Few, so that it holds its locks only briefly. */
const BATCH = 10_000;

/** Folds the changes recorded by triggers into the counters, unless another process is doing so. */
export async function foldLeadCounters(db: Db): Promise<void> {
  let folded = 0;
  for (let last = BATCH; last === BATCH; folded += last) {
    last = await foldBatch(db);
  }
  // Each list reads the table, empty pages included. Autovacuum takes up to a minute to start. If another process is at it, that
  // suffices: it may take seconds, since it waits for a moment without readers before it cuts the empty pages off.
  if (folded > 0 && (await isLarge(db))) await db.run(knex.raw('vacuum (skip_locked) lead_counter_changes'));
}

/** Size of a table of changes that is read quickly. Bytes. */
const MAX_SIZE = 128 * 1024;

async function isLarge(db: Db): Promise<boolean> {
  const size = knex.raw(`select pg_relation_size('lead_counter_changes') > ? as is_large`, [MAX_SIZE]);
  const [row] = await db.run<{ is_large: boolean }>(size);
  return row?.is_large ?? false;
}

async function foldBatch(db: Db): Promise<number> {
  const [row] = await db.run<{ folded: number }>(knex.raw('select fold_lead_counters(?) as folded', [BATCH]));
  return row?.folded ?? 0;
}

/** A counter that differs from the leads. */
type Drift = Record<'kind' | 'key' | 'period' | 'status' | 'source' | 'reached', string> &
  Record<'counted' | 'leads', number> &
  Record<'counted_amount' | 'leads_amount', string>;

/** Recounts all leads and returns up to `limit` wrong counters. Requires a transaction. */
export async function findDrift(trx: Db, limit: number): Promise<Drift[]> {
  await disableTimeouts(trx);
  return trx.run<Drift>(
    knex.raw(
      `select kind, key, period, status, source, reached,
        coalesce(counted.total, 0) as counted, coalesce(actual.total, 0) as leads,
        coalesce(counted.amount, 0) as counted_amount, coalesce(actual.amount, 0) as leads_amount
      from (
        select kind, key, period, status, source, reached, sum(total)::int as total, sum(amount) as amount
        from (
          select * from lead_counters
          union all
          select keys.kind, keys.key, keys.period, status, source, reached, total, amount
          from lead_counter_changes as change, lead_counter_keys(change.kind, change.key, change.period) as keys
        ) as current
        group by kind, key, period, status, source, reached
      ) as counted
      full join lead_counters_by_leads as actual using (kind, key, period, status, source, reached)
      where coalesce(counted.total, 0) <> coalesce(actual.total, 0)
        or coalesce(counted.amount, 0) <> coalesce(actual.amount, 0)
      order by kind, key, period, status, source, reached
      limit ?`,
      [limit],
    ),
  );
}

/** Rebuilds the counters from all leads; writers of leads wait meanwhile. Requires a transaction. */
export async function rebuildLeadCounters(trx: Db): Promise<void> {
  await disableTimeouts(trx);
  await trx.run(knex.raw('select rebuild_lead_counters()'));
}

/** Counting millions of rows, and waiting for their writers, takes longer than a request may. */
async function disableTimeouts(trx: Db): Promise<void> {
  await trx.run(knex.raw(setLocal({ statement_timeout: 0, lock_timeout: 0 })));
}
