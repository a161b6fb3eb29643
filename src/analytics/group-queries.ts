/** Counts of what happened in a window, by period and by what a lead, or a closed sales cycle, is about. */
import type { Knex } from 'knex';
import type { Db } from '../db/db.ts';
import { applyAll } from '../db/list/condition.ts';
import { knex, sql } from '../db/query.ts';
import { changedSince } from './change-queries.ts';
import { isOpen } from './open-queries.ts';
import { narrow, ofCycles, type ReportSubject, unionAll } from './subject-queries.ts';

interface Dimension {
  /** The column, of leads and of sales cycles. */
  column?: string;
  /** Whether texts that differ only in upper and lower case are one group. */
  isFolded?: true;
  /** Whether the indexes of the milestones have the column, so that the leads need not be read. */
  isIndexed?: true;
  /** The counters of the open leads in each group, if there are any. */
  openBy?: 'source' | 'assigned_user' | 'content';
}

const dimensions = {
  none: { isIndexed: true },
  source: { column: 'source', isIndexed: true, openBy: 'source' },
  source_detail: { column: 'source_detail' },
  assigned_user: { column: 'assigned_user_id', isIndexed: true, openBy: 'assigned_user' },
  content: { column: 'content_id', isIndexed: true, openBy: 'content' },
  tag: { column: 'tag' },
  company: { column: 'company', isFolded: true },
  // No open lead has one, so any counters do.
  lost_reason: { column: 'lost_reason', isFolded: true, openBy: 'source' },
} satisfies Record<string, Dimension>;

/** What has an indexed key of the metadata in common: of sales cycles, that of the lead as it is now. */
export type MetadataColumn = `indexed_${number}`;
export type GroupKey = keyof typeof dimensions | MetadataColumn;

const isMetadata = (by: GroupKey): by is MetadataColumn => by.startsWith('indexed_');

function dimensionOf(by: GroupKey): Dimension {
  return isMetadata(by) ? { column: by } : dimensions[by];
}

const milestones = ['created', 'contacted', 'qualified'] as const;

/** Leads at a milestone, sales cycles that were closed, or leads that are open now. */
export type Kind = (typeof milestones)[number] | 'won' | 'lost' | 'open';

/** How many of one kind there are in a group and a period, in all or with a value in one currency. */
export interface Cell {
  /** Identifies the group. */
  key: string;
  /** What the group has in common, in its most frequent spelling. Null for those without it. */
  label: string | null;
  /** How many groups there are without the limit. */
  groups: number;
  /** Number of the period, starting at 1. */
  period: number;
  kind: Kind;
  /** Null without a value, and for milestones. */
  currency: string | null;
  total: number;
  amount: string | null;
}

export interface Grouping {
  by: GroupKey;
  /** The only tags to have a group, if any. */
  tags: readonly string[] | undefined;
  /** The starts of the periods. Milliseconds since 1970. */
  begins: readonly number[];
  /** Whether to count the leads that are open now, in the first period. */
  withOpen: boolean;
  /** How many groups to return. */
  limit: number;
}

/** The cells of the groups with the most won, the most lost, and the most created, in this order. */
export function countCells(db: Db, subject: ReportSubject, grouping: Grouping): Promise<Cell[]> {
  const cells = [
    ...countMilestones(subject, grouping),
    countClosed(subject, grouping),
    ...(grouping.withOpen ? [countOpen(subject, grouping)] : []),
  ];
  const spellings = knex('cell')
    .select('key', 'label', sql`sum(total) as spelled`)
    .select(ranks.map((kind) => sql`sum(total) filter (where kind = ${kind}) as ${knex.ref(kind)}`))
    .groupBy('key', 'label');
  const top = knex
    .from(spellings.as('spelling'))
    .select('key', sql`(array_agg(label order by spelled desc, label))[1] as label`)
    .select(sql`(count(*) over ())::int as groups`)
    .select(sql`row_number() over (order by ${knex.raw(ranks.map(rank).join())}, key) as place`)
    .groupBy('key')
    .orderBy('place')
    .limit(grouping.limit);
  return db.run(
    knex
      .withMaterialized('cell', unionAll(cells))
      .withMaterialized('top', top)
      .from('top')
      .join('cell', 'cell.key', 'top.key')
      .select('top.key', 'top.label', 'groups', 'period', 'kind', 'currency')
      .select(sql`sum(total)::int as total`, sql`sum(amount)::text as amount`)
      .groupByRaw('place, 1, 2, 3, 4, 5, 6')
      .orderBy('place'),
  );
}

const ranks = ['won', 'lost', 'created'] as const;
const rank = (kind: string) => `sum(${kind}) desc nulls last`;

/** Each lead counts once for each milestone. */
function countMilestones(subject: ReportSubject, grouping: Grouping): Knex.QueryBuilder[] {
  const count = (rows: Knex.QueryBuilder, kind: Knex.Raw, at: string) =>
    rows
      .modify(group, grouping)
      .select(periodOf(at, grouping), sql`${kind} as kind`, sql`null as currency`)
      .select(sql`count(*) as total`, sql`null::numeric as amount`)
      .modify(narrow, at, subject)
      .groupByRaw('period, kind');
  // Each milestone has a covering index. Whoever needs more columns reads the leads, and should do so only once.
  if (subject.conditions.length === 0 && dimensionOf(grouping.by).isIndexed) {
    return milestones.map((kind) => count(knex('leads'), sql`${knex.raw(`'${kind}'`)}::text`, `${kind}_at`));
  }
  const times = milestones.map((kind) => `('${kind}', ${kind}_at)`).join(', ');
  const leads = knex
    .from(changedSince(subject))
    .joinRaw(`cross join lateral (values ${times}) as milestone (milestone, at)`);
  return [count(leads, sql`milestone`, 'at')];
}

function countClosed(subject: ReportSubject, grouping: Grouping): Knex.QueryBuilder {
  return knex('sales_cycles')
    .modify(withMetadata, grouping)
    .modify(group, grouping)
    .select(periodOf('closed_at', grouping), 'status as kind', 'value_currency as currency')
    .select(sql`count(*) as total`, sql`sum(value_amount) as amount`)
    .modify(narrow, 'closed_at', ofCycles(subject))
    .groupByRaw('period, status, value_currency');
}

function withMetadata(rows: Knex.QueryBuilder, { by }: Grouping): void {
  if (!isMetadata(by)) return;
  const lead = knex('leads').select(by).where('leads.id', knex.ref('lead_id'));
  rows.joinRaw('cross join lateral ? as lead', [sql`(${lead})`]);
}

function countOpen({ conditions }: ReportSubject, grouping: Grouping): Knex.QueryBuilder {
  const { openBy } = dimensionOf(grouping.by);
  if (conditions.length === 0 && openBy !== undefined) return countRecorded(grouping, openBy);
  return knex('leads')
    .modify(group, grouping)
    .select(sql`1 as period`, sql`'open' as kind`, 'value_currency as currency')
    .select(sql`count(*) as total`, sql`sum(value_amount) as amount`)
    .modify(applyAll, [isOpen, ...conditions])
    .groupBy('value_currency');
}

/** The open leads of all groups, from their counters. */
function countRecorded({ by }: Grouping, openBy: string): Knex.QueryBuilder {
  const label = by === 'lost_reason' ? sql`null::text` : sql`nullif(split_part(key, '=', 2), '')`;
  const parts = ['lead_counters', 'lead_counter_changes'].map((table) =>
    knex(table)
      .select(sql`${label} as label`, 'reached', 'total', 'amount')
      .where('kind', 'open_by')
      .whereRaw('key like ?', [`${openBy}=%`]),
  );
  return knex
    .from(unionAll(parts).as('part'))
    .select(sql`coalesce('=' || label, '') as key`, 'label')
    .select(sql`1 as period`, sql`'open' as kind`, sql`nullif(reached, '') as currency`)
    .select(sql`sum(total) as total`, sql`sum(amount) filter (where reached <> '') as amount`)
    .groupBy('label', 'reached')
    .havingRaw('sum(total) <> 0');
}

function periodOf(at: string, { begins }: Grouping): Knex.Raw {
  if (begins.length === 1) return sql`1 as period`;
  const starts = begins.map((begin) => new Date(begin).toISOString());
  return sql`width_bucket(${knex.ref(at)}, ${starts}::timestamptz[]) as period`;
}

/** Selects the group's key and label. A tag that a row has twice counts once, and rows without tags are in no group. */
function group(rows: Knex.QueryBuilder, { by, tags }: Grouping): void {
  const { column, isFolded } = dimensionOf(by);
  if (column === undefined) {
    rows.select(sql`'' as key`, sql`null as label`);
    return;
  }
  if (by === 'tag') {
    rows.joinRaw('cross join lateral (select distinct tag from unnest(tags) as tag) as tagged');
    if (tags !== undefined) rows.where(sql`tag = any(${tags}::text[])`);
  }
  // A text is in a list (see indexed_value).
  const label = knex.raw(
    isMetadata(by) ? `coalesce(${column} ->> 0, ${column} #>> '{}')` : `${column}::text`,
  );
  const text = isFolded ? sql`lower(${label})` : label;
  rows.select(sql`coalesce('=' || ${text}, '') as key`, sql`${label} as label`).groupByRaw(column);
}
