/** Queries about changes of status in a window, whenever the leads were created. */
import type { Knex } from 'knex';
import { schemas } from '../../generated/limits.ts';
import type { Db } from '../db/db.ts';
import { applyAll } from '../db/list/condition.ts';
import { knex, sql } from '../db/query.ts';
import { narrow, type ReportSubject, unionAll } from './subject-queries.ts';

interface StatusChanges {
  entered: number | null;
  exited: number | null;
  /** In seconds, of the stays that ended in the window. */
  mean: number | null;
  median: number | null;
  p90: number | null;
}

/** Counts the entries into and exits from each status in the window. A status without any is missing. */
export async function countChanges(db: Db, subject: ReportSubject): Promise<Map<string, StatusChanges>> {
  const changes = knex('lead_status_changes')
    .select('from_status', 'to_status', 'seconds')
    .modify(changedWithin, subject);
  const isFiltered = subject.conditions.length > 0;
  // Filters look up each change's lead, so entries and exits share one scan. Without filters, index-only scans of each
  // status run in parallel.
  const branches = isFiltered ? [schemas.LeadStatus.enum] : schemas.LeadStatus.enum.map((status) => [status]);
  const exits = branches.map((branch) =>
    knex('change')
      .select('from_status as status', sql`null::int as entered`, sql`count(seconds)::int as exited`)
      .select(sql`round(avg(seconds))::int as mean`)
      .select(sql`${secondsOf(0.5)} as median`, sql`${secondsOf(0.9)} as p90`)
      .whereIn('from_status', branch)
      .groupBy('from_status'),
  );
  const entries = branches.map((branch) =>
    knex('change')
      .select('to_status as status', sql`count(*)::int as entered`, sql`null::int as exited`)
      .select(sql`null::int as mean`, sql`null::int as median`, sql`null::int as p90`)
      .whereIn('to_status', branch)
      .groupBy('to_status'),
  );
  const rows = await db.run<StatusChanges & { status: string }>(
    knex[isFiltered ? 'withMaterialized' : 'withNotMaterialized']('change', changes)
      .select('status')
      .max({ entered: 'entered', exited: 'exited', mean: 'mean', median: 'median', p90: 'p90' })
      .from(unionAll([...entries, ...exits]).as('counted'))
      .groupBy('status'),
  );
  return new Map(rows.map((row) => [row.status, row]));
}

/** A percentile of the stays. The inner round() removes the floating-point errors of percentile_cont(). */
function secondsOf(fraction: 0.5 | 0.9): Knex.Raw {
  const percentile = sql`percentile_cont(${knex.raw(String(fraction))}) within group (order by seconds)`;
  return sql`round(round((${percentile})::numeric, 4))::int`;
}

/** Keeps the status changes in the window whose lead meets the conditions. */
function changedWithin(changes: Knex.QueryBuilder, subject: ReportSubject): void {
  narrow(changes, 'changed_at', { ...subject, conditions: [] });
  if (subject.conditions.length === 0) return;
  const matching = knex.from(changedSince(subject)).select('id').modify(applyAll, subject.conditions);
  changes.whereIn('lead_id', matching);
}

/**
 * The leads to look up. A lead's last status change is not before any of its changes in the window, but those of leads that
 * were merged into it may be later. A union, so that each part can use its index.
 */
export function changedSince({ begin }: ReportSubject): Knex.Raw {
  const since = new Date(begin).toISOString();
  return sql`(
    select * from leads where status_changed_at >= ${since}
    union all
    select * from leads where status_changed_at < ${since} and id = any(array(
      select merged_into from merges where kind = 'lead' and merged_at >= ${since}
    ))
  ) as leads`;
}
