/** Queries about why leads were lost. */
import type { Db } from '../db/db.ts';
import { anyOf } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import { narrow, type ReportSubject } from './subject-queries.ts';

/** The leads that were lost for one reason and have a value in one currency. */
export interface LostSum {
  /** The reason in lower case; null without one. */
  key: string | null;
  /** The reason's most frequent spelling. */
  lost_reason: string | null;
  /** Leads with this reason, in all currencies. */
  total: number;
  /** Leads with any reason. */
  all: number;
  /** Number of reasons. */
  reasons: number;
  /** `none` for leads without a value. */
  currency: string;
  leads: number;
  amount: string;
}

const MAX_REASONS = 1_000;

/** Sums of the leads that were lost in the window and still are, for the most frequent reasons. */
export function sumLost(db: Db, subject: ReportSubject): Promise<LostSum[]> {
  // Free text, so there may be as many reasons as leads.
  const spellings = knex('leads')
    .select('lost_reason', sql`coalesce(value_currency, 'none') as currency`)
    .select(sql`count(*)::int as leads`, sql`coalesce(sum(value_amount), 0) as amount`)
    .modify(narrow, 'status_changed_at', {
      ...subject,
      conditions: [anyOf('status')(['lost']), ...subject.conditions],
    })
    .groupBy('lost_reason', 'currency');
  const counted = knex('spelling').select('lost_reason').sum({ leads: 'leads' }).groupBy('lost_reason');
  const reasons = knex
    .from(counted.as('counted'))
    .select(sql`lower(lost_reason) as key`)
    .select(sql`(array_agg(lost_reason order by leads desc, lost_reason))[1] as lost_reason`)
    .select(sql`sum(leads)::int as total`, sql`(sum(sum(leads)) over ())::int as all`)
    .select(sql`(count(*) over ())::int as reasons`)
    .groupByRaw('1')
    .orderByRaw('total desc, key nulls first')
    .limit(MAX_REASONS);
  return db.run(
    knex
      .withMaterialized('spelling', spellings)
      .withMaterialized('reason', reasons)
      .from('reason')
      .joinRaw(`join spelling on coalesce(lower(spelling.lost_reason), '') = coalesce(key, '')`)
      .select('key', 'reason.lost_reason', 'total', 'all', 'reasons', 'currency')
      .select(sql`sum(leads)::int as leads`, sql`sum(amount)::text as amount`)
      .groupByRaw('1, 2, 3, 4, 5, 6')
      .orderByRaw('total desc, key nulls first'),
  );
}
