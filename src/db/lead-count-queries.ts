import type { Db } from './knex.ts';
import { run } from './statement.ts';

/** Changes in one transaction: so few that nothing waits long for it. */
const BATCH = 10_000;

/** Adds what the triggers have recorded to the counts, unless another process is at it. */
export async function foldLeadCounts(db: Db): Promise<void> {
  let folded = 0;
  for (let last = BATCH; last === BATCH; folded += last) {
    last = await foldBatch(db);
  }
  // Readers walk over what is dead until it is cleaned up; autovacuum takes up to a minute to come.
  if (folded >= BATCH) await run(db, { sql: 'vacuum lead_count_changes', bindings: [] });
}

async function foldBatch(db: Db): Promise<number> {
  const [row] = await run<{ folded: number }>(db, {
    name: 'fold_lead_counts',
    sql: 'select fold_lead_counts(?) as folded',
    bindings: [BATCH],
  });
  return row?.folded ?? 0;
}

/** A count that is not what the table says. */
export type Drift = Record<'assigned_user_id' | 'span' | 'begins' | 'status' | 'source', string> &
  Record<'counted' | 'leads', number>;

/** Recounts all leads; gives up to `most` of the counts that are wrong. Wants a transaction. */
export async function findDrift(trx: Db, most: number): Promise<Drift[]> {
  await allowTime(trx);
  return run<Drift>(trx, {
    sql: `select assigned_user_id, span, to_char(begins at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as begins,
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
    bindings: [most],
  });
}

/** Counts all leads anew; whoever writes leads waits meanwhile. Wants a transaction. */
export async function rebuildLeadCounts(trx: Db): Promise<void> {
  await allowTime(trx);
  await run(trx, { sql: 'select rebuild_lead_counts()', bindings: [] });
}

/** A table of millions takes longer than a request may. */
async function allowTime(trx: Db): Promise<void> {
  await run(trx, { sql: 'set local statement_timeout = 0', bindings: [] });
}
