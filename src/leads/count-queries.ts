import type { Db } from '../db/db.ts';
import { knex } from '../db/query.ts';

/** Changes folded per transaction: few, so that nothing waits long for its locks. */
const BATCH = 10_000;

/** Folds the changes that triggers have recorded into the counts, unless another process is doing so. */
export async function foldLeadCounts(db: Db): Promise<void> {
  let folded = 0;
  for (let last = BATCH; last === BATCH; folded += last) {
    last = await foldBatch(db);
  }
  // Readers scan dead rows until they are vacuumed; autovacuum takes up to a minute to start.
  if (folded >= BATCH) await db.run(knex.raw('vacuum lead_count_changes'));
}

async function foldBatch(db: Db): Promise<number> {
  const [row] = await db.run<{ folded: number }>(knex.raw('select fold_lead_counts(?) as folded', [BATCH]));
  return row?.folded ?? 0;
}

/** A count that differs from the table. */
type Drift = Record<'assigned_user_id' | 'span' | 'begins' | 'status' | 'source', string> &
  Record<'counted' | 'leads', number>;

/** Recounts all leads and returns up to `limit` wrong counts. Requires a transaction. */
export async function findDrift(trx: Db, limit: number): Promise<Drift[]> {
  await disableTimeout(trx);
  return trx.run<Drift>(
    knex.raw(
      `select assigned_user_id, span, to_char(begins at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as begins,
        status, source, coalesce(counted.total, 0)::int as counted, coalesce(actual.total, 0) as leads
      from (
        select assigned_user_id, span, begins, status, source, sum(total) as total
        from (
          select assigned_user_id, span, begins, status, source, total from lead_counts
          union all
          select keys.assigned_user_id, keys.span, keys.begins, status, source, change
          from lead_count_changes as changed, lead_count_keys(changed.begins, changed.assigned_user_id) as keys
        ) as known
        group by 1, 2, 3, 4, 5
      ) as counted
      full join lead_counts_by_leads as actual using (assigned_user_id, span, begins, status, source)
      where coalesce(counted.total, 0) <> coalesce(actual.total, 0)
      order by 1, 2, 3, 4, 5
      limit ?`,
      [limit],
    ),
  );
}

/** Rebuilds the counts from all leads; writers of leads wait meanwhile. Requires a transaction. */
export async function rebuildLeadCounts(trx: Db): Promise<void> {
  await disableTimeout(trx);
  await trx.run(knex.raw('select rebuild_lead_counts()'));
}

/** Counting millions of rows takes longer than the statement timeout of requests. */
async function disableTimeout(trx: Db): Promise<void> {
  await trx.run(knex.raw('set local statement_timeout = 0'));
}
