/** Queries about what the leads of a report's rows are worth. */
import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { anyOf } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import type { LeadStatus } from '../leads/tables.ts';
import { openStatuses } from '../leads/tables.ts';
import {
  type Grouping,
  groupRows,
  keepGroups,
  type ManyGroups,
  narrow,
  type ReportSubject,
  unionAll,
} from './subject-queries.ts';

/** The leads of a group that have a value in the currency and are now won, or open: their number and exact sum. */
export interface GroupSum {
  key: string;
  currency: string;
  outcome: 'won' | 'open';
  leads: number;
  amount: string;
}

/** Sums of the leads created in the window, by their current status and group. */
export async function sumCreated(
  db: Db,
  subject: ReportSubject,
  grouping: Grouping,
): Promise<Map<string, GroupSum[]>> {
  return byKey(db, created(subject, grouping));
}

/** The same for the groups with these keys. */
export async function sumCreatedFor(
  db: Db,
  subject: ReportSubject,
  grouping: ManyGroups,
  keys: readonly string[],
): Promise<Map<string, GroupSum[]>> {
  return byKey(db, created(subject, grouping).modify(keepGroups, grouping, keys));
}

async function byKey(db: Db, sums: Knex.QueryBuilder): Promise<Map<string, GroupSum[]>> {
  const rows = await db.run<GroupSum>(sums);
  return Map.groupBy(rows, ({ key }) => key);
}

function created(subject: ReportSubject, grouping: Grouping): Knex.QueryBuilder {
  return valued(grouping)
    .select(sql`case status when 'won' then 'won' else 'open' end as outcome`)
    .whereNot('status', 'lost')
    .modify(narrow, 'created_at', subject)
    .groupBy('outcome');
}

/** Of a period: counted from 1. */
export type PeriodSum = GroupSum & { period: number };

/** Sums by period: of the leads that were won in it and still are, and of those that were created in it and are open. */
export function sumByPeriod(
  db: Db,
  subject: ReportSubject,
  begins: readonly number[],
  grouping: Grouping,
): Promise<PeriodSum[]> {
  const starts = begins.map((begin) => new Date(begin).toISOString());
  const sums = (outcome: GroupSum['outcome'], at: string, statuses: readonly LeadStatus[]) =>
    valued(grouping)
      .select(sql`${outcome}::text as outcome`)
      .select(sql`width_bucket(${knex.ref(at)}, ${starts}::timestamptz[]) as period`)
      .modify(narrow, at, { ...subject, conditions: [anyOf('status')(statuses), ...subject.conditions] })
      .groupBy('period');
  return db.run(
    unionAll([sums('won', 'status_changed_at', ['won']), sums('open', 'created_at', openStatuses)]),
  );
}

/** The leads that have a value, by group and currency. */
function valued(grouping: Grouping): Knex.QueryBuilder {
  return knex('leads')
    .select('value_currency as currency')
    .select(sql`count(*)::int as leads`, sql`sum(value_amount)::text as amount`)
    .whereNotNull('value_currency')
    .modify(groupRows, grouping)
    .groupBy('value_currency');
}
