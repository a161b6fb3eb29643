import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { setLocal } from '../db/pool/timeouts.ts';
import { knex, sql } from '../db/query.ts';

/** Changes folded per transaction: few, so that nothing waits long for its locks. */
const BATCH = 10_000;

/** Folds the changes that triggers have recorded into the counts, unless another process is doing so. */
export async function foldLeadCounts(db: Db): Promise<void> {
  let folded = 0;
  for (let last = BATCH; last === BATCH; folded += last) {
    last = await foldBatch(db);
  }
  // Readers scan dead rows until they are vacuumed; autovacuum takes up to a minute to start.
  if (folded >= BATCH)
    await db.run(knex.raw('vacuum lead_count_changes, lead_tag_count_changes, lead_sum_changes'));
}

async function foldBatch(db: Db): Promise<number> {
  const [row] = await db.run<{ folded: number }>(knex.raw('select fold_lead_counts(?) as folded', [BATCH]));
  return row?.folded ?? 0;
}

/** A count that differs from the table: of a day or month, of a tag, or of a sum of values. */
type Drift = Record<'counted' | 'leads', number> &
  Partial<Record<'assigned_user_id' | 'span' | 'begins' | 'tag' | 'status' | 'source', string>> &
  Partial<Record<'currency' | 'period' | 'reached' | 'counted_amount' | 'leads_amount', string>>;

const dayCounts = knex.raw(`
  select assigned_user_id, span, begins, status, source, total from lead_counts
  union all
  select keys.assigned_user_id, keys.span, keys.begins, status, source, change
  from lead_count_changes as changed, lead_count_keys(changed.begins, changed.assigned_user_id) as keys`);
const tagCounts = knex.raw(`
  select tag, status, source, total from lead_tag_counts
  union all
  select tag, status, source, change from lead_tag_count_changes`);
const sums = knex.raw(`
  select status, currency, period, reached, total, amount from lead_sums
  union all
  select status, currency, period, reached, change, amount from lead_sum_changes`);
const dayKeys = ['assigned_user_id', 'span', 'begins', 'status', 'source'];
const tagKeys = ['tag', 'status', 'source'];
const sumKeys = ['status', 'currency', 'period', 'reached'];

/** Recounts all leads and returns up to `limit` wrong counts. Requires a transaction. */
export async function findDrift(trx: Db, limit: number): Promise<Drift[]> {
  await disableTimeouts(trx);
  const byDay = await trx.run<Drift>(driftOf(dayCounts, 'lead_counts_by_leads', dayKeys, limit));
  const byTag = await trx.run<Drift>(driftOf(tagCounts, 'lead_tag_counts_by_leads', tagKeys, limit));
  const bySum = await trx.run<Drift>(driftOf(sums, 'lead_sums_by_leads', sumKeys, limit, 'amount'));
  return [...byDay, ...byTag, ...bySum].slice(0, limit);
}

function driftOf(
  counts: Knex.Raw,
  leads: string,
  keys: string[],
  limit: number,
  ...sums: 'amount'[]
): Knex.QueryBuilder {
  const measures = ['total', ...sums];
  const counted = knex
    .select(keys)
    .sum(Object.fromEntries(measures.map((measure) => [measure, measure])))
    .from(sql`(${counts}) as known`)
    .groupBy(keys);
  return knex
    .select(keys)
    .select(sql`coalesce(counted.total, 0)::int as counted`, sql`coalesce(actual.total, 0) as leads`)
    .select(
      sums.flatMap(() => [
        sql`coalesce(counted.amount, 0) as counted_amount`,
        sql`coalesce(actual.amount, 0) as leads_amount`,
      ]),
    )
    .from(counted.as('counted'))
    .joinRaw('full join ?? as actual using (??)', [leads, keys])
    .where((rows) => {
      for (const measure of measures)
        rows.orWhereRaw('coalesce(counted.??, 0) <> coalesce(actual.??, 0)', [measure, measure]);
    })
    .orderBy(keys)
    .limit(limit);
}

/** Rebuilds the counts from all leads; writers of leads wait meanwhile. Requires a transaction. */
export async function rebuildLeadCounts(trx: Db): Promise<void> {
  await disableTimeouts(trx);
  await trx.run(knex.raw('select rebuild_lead_counts()'));
}

/** Counting millions of rows takes longer than requests may, and so may waiting for those who write them. */
async function disableTimeouts(trx: Db): Promise<void> {
  await trx.run(knex.raw(setLocal({ statement_timeout: 0, lock_timeout: 0 })));
}
