/** Queries about what happened in a window, by what a lead, or a closed sales cycle, is about. */
import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import type { Condition } from '../db/list/condition.ts';
import { applyAll } from '../db/list/condition.ts';
import { anyOf } from '../db/list/filters.ts';
import { knex, sql } from '../db/query.ts';
import { openStatuses } from '../leads/tables.ts';
import type { Input } from '../operation.ts';
import { narrow, type ReportSubject } from './subject-queries.ts';
import type { GroupSum } from './value-queries.ts';

export type BreakdownKey = Input<'getAnalyticsBreakdown'>['query']['group_by'];

/** The column of each key, and the text by which rows belong together. Leads and sales cycles have the same ones. */
const keys: Record<BreakdownKey, { label: string; key: string }> = {
  source: { label: 'source', key: 'source' },
  source_detail: { label: 'source_detail', key: 'source_detail' },
  assigned_user: { label: 'assigned_user_id::text', key: 'assigned_user_id::text' },
  content: { label: 'content_id::text', key: 'content_id::text' },
  tag: { label: 'tag', key: 'tag' },
  company: { label: 'company', key: 'lower(company)' },
  lost_reason: { label: 'lost_reason', key: 'lower(lost_reason)' },
};

export interface BreakdownSubject extends ReportSubject {
  /** The same filters, of sales cycles. */
  cycleConditions: readonly Condition[];
}

export interface BreakdownRow {
  /** Null for those without one. */
  key: string | null;
  /** The most frequent spelling. */
  label: string | null;
  created: number;
  contacted: number;
  won: number;
  lost: number;
  open: number;
  /** How many rows there are without the limit. */
  total: number;
}

const MAX_ROWS = 1_000;

type Counts = Partial<Record<'created' | 'contacted' | 'won' | 'lost' | 'open', Knex.Raw>>;

/** The groups with the most that happened, at most 1,000. */
export function breakDown(db: Db, subject: BreakdownSubject, by: BreakdownKey): Promise<BreakdownRow[]> {
  const parts = [
    part('leads', by, { created: sql`count(*)` }).modify(narrow, 'created_at', subject),
    part('leads', by, { contacted: sql`count(*)` }).modify(narrow, 'contacted_at', subject),
    part('sales_cycles', by, {
      won: sql`count(*) filter (where status = 'won')`,
      lost: sql`count(*) filter (where status = 'lost')`,
    }).modify(narrow, 'closed_at', ofCycles(subject)),
    part('leads', by, { open: sql`count(*)` }).modify(applyAll, [isOpen, ...subject.conditions]),
  ];
  const counts = ['created', 'contacted', 'won', 'lost', 'open'];
  return db.run(
    knex
      .from(knex.unionAll(parts).as('part'))
      .select('key', sql`(array_agg(label order by spelled desc, label))[1] as label`)
      .select(counts.map((name) => sql`coalesce(sum(${knex.ref(name)}), 0)::int as ${knex.ref(name)}`))
      .select(sql`count(*) over ()::int as total`)
      .groupBy('key')
      .orderByRaw('sum(coalesce(won, 0)) desc, sum(coalesce(created, 0)) desc, key nulls last')
      .limit(MAX_ROWS),
  );
}

const isOpen = anyOf('status')(openStatuses);

const ofCycles = ({ cycleConditions, ...subject }: BreakdownSubject): ReportSubject => ({
  ...subject,
  conditions: cycleConditions,
});

/** Counts of one table by the key, with each spelling. */
function part(table: 'leads' | 'sales_cycles', by: BreakdownKey, counts: Counts): Knex.QueryBuilder {
  const { key, label } = keys[by];
  return grouped(table, by)
    .select(sql`${knex.raw(key)} as key`, sql`${knex.raw(label)} as label`, sql`count(*) as spelled`)
    .select(
      (['created', 'contacted', 'won', 'lost', 'open'] as const).map(
        (name) => sql`${counts[name] ?? sql`null::bigint`} as ${knex.ref(name)}`,
      ),
    )
    .groupByRaw('1, 2');
}

/** A tag that a row has twice counts once. Rows without tags are in no group. */
function grouped(table: 'leads' | 'sales_cycles', by: BreakdownKey): Knex.QueryBuilder {
  const rows = knex(table);
  return by === 'tag'
    ? rows.joinRaw('cross join lateral (select distinct tag from unnest(tags) as tag) as tagged')
    : rows;
}

/** What the won cycles of the window were worth, and what the leads that are open now are worth, for these groups. */
export async function sumBreakdown(
  db: Db,
  subject: BreakdownSubject,
  by: BreakdownKey,
  groups: readonly (string | null)[],
): Promise<Map<string | null, GroupSum[]>> {
  const { key } = keys[by];
  const sums = (table: 'leads' | 'sales_cycles', outcome: GroupSum['outcome']) =>
    grouped(table, by)
      .select(sql`${knex.raw(key)} as key`, 'value_currency as currency', sql`${outcome}::text as outcome`)
      .select(sql`count(*)::int as leads`, sql`sum(value_amount)::text as amount`)
      .whereNotNull('value_currency')
      .where(
        sql`(${knex.raw(key)} = any(${groups.filter((group) => group !== null)}::text[]) or ${knex.raw(key)} is null)`,
      )
      .groupByRaw('1, 2');
  const won = anyOf('status')(['won']);
  const rows = await db.run<GroupSum>(
    knex.unionAll([
      sums('sales_cycles', 'won').modify(narrow, 'closed_at', {
        ...subject,
        conditions: [won, ...subject.cycleConditions],
      }),
      sums('leads', 'open').modify(applyAll, [isOpen, ...subject.conditions]),
    ]),
  );
  return Map.groupBy(rows, (row) => row.key);
}
