import type { Knex } from 'knex';
import { DAY, MAX_TIME } from '../../values/time.ts';
import { type Bind, knex, sql } from '../query.ts';
import { applyAll, bindConditions, type Condition } from './condition.ts';

/**
 * Exact row counts of a table, by month and day (UTC) of created_at and by the values of other columns. Triggers maintain
 * them: two tables of counts, plus `changes` that are not folded into the counts yet. See the migrations lead_counts and
 * lead_tag_counts.
 */
export interface Counters {
  /** Counts for all owners together, and by owner. */
  countsOfAll: string;
  countsByOwner: string;
  changes: string;
  /** The column that refers to the row's owner; null without one. */
  owner: string;
  columns: readonly string[];
  /** Counts by each value of the array column `tags`, and their changes: without dates and owners. */
  countsByTag: string;
  changesByTag: string;
}

/** The rows that a list's conditions select, expressed as counter keys. */
export interface Selection {
  counters: Counters;
  /** Undefined for the rows of all owners. */
  owner: string | undefined;
  /** Only the rows with this tag. Then there is neither an owner nor a bounded slice. */
  tag: string | undefined;
  /** Conditions on columns that the counters have. */
  equalities: readonly Condition[];
  slices: readonly Slice[];
}

/** A time range, counted by months, by days or, if it is shorter than a whole day, by rows. */
interface Slice {
  by: 'month' | 'day' | 'row';
  /** Timestamps, undefined if unbounded. */
  begin: string | undefined;
  /** Exclusive. */
  end: string | undefined;
}

/** Owner keys in the counts: rows without an owner, and rows of all owners. */
const NO_OWNER = '00000000-0000-0000-0000-000000000000';
const ANY_OWNER = sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'`;
const SPANS = { month: sql`'month'`, day: sql`'day'` };

/** Undefined if the counters can't answer: other kinds of filters, or no whole day, which is fast to count by rows. */
export function selectionOf(counters: Counters, conditions: readonly Condition[]): Selection | undefined {
  const equalities: Condition[] = [];
  let owner: string | undefined;
  let tag: string | undefined;
  let [begin, end] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const condition of conditions) {
    const { filter } = condition;
    if (filter?.column === 'created_at') {
      begin = Math.max(begin, filter.from ?? begin);
      end = Math.min(end, filter.to === undefined ? end : filter.to + 1);
    } else if (filter?.values !== undefined && filter.column === counters.owner) {
      owner = filter.values[0] ?? NO_OWNER;
    } else if (filter?.column === 'tags' && filter.values?.length === 1) {
      tag = filter.values[0] ?? undefined;
    } else if (filter?.values !== undefined && counters.columns.includes(filter.column)) {
      equalities.push(condition);
    } else {
      return undefined;
    }
  }
  const slices = slicesOf(begin, end);
  const isBounded = owner !== undefined || Number.isFinite(begin) || Number.isFinite(end);
  if (tag !== undefined && isBounded) return undefined;
  return slices.some(({ by }) => by !== 'row') ? { counters, owner, tag, equalities, slices } : undefined;
}

function slicesOf(begin: number, end: number): Slice[] {
  const [firstDay, lastDay] = [Math.ceil(begin / DAY) * DAY, Math.floor(end / DAY) * DAY];
  const [firstMonth, lastMonth] = [ceilToMonth(firstDay), floorToMonth(lastDay)];
  const byDay =
    firstMonth < lastMonth
      ? [
          slice('day', firstDay, firstMonth),
          slice('month', firstMonth, lastMonth),
          slice('day', lastMonth, lastDay),
        ]
      : [slice('day', firstDay, lastDay)];
  return [slice('row', begin, firstDay), ...byDay, slice('row', lastDay, end)].flat();
}

/** No slice if the range is empty. Takes milliseconds since the epoch, infinite if unbounded. */
function slice(by: Slice['by'], begin: number, end: number): Slice[] {
  return begin < end ? [{ by, begin: timestamp(begin), end: timestamp(end) }] : [];
}

function timestamp(moment: number): string | undefined {
  if (!Number.isFinite(moment)) return undefined;
  return moment > MAX_TIME ? 'infinity' : new Date(moment).toISOString();
}

function floorToMonth(day: number): number {
  return Number.isFinite(day) ? new Date(day).setUTCDate(1) : day;
}

function ceilToMonth(day: number): number {
  if (floorToMonth(day) === day) return day;
  const month = new Date(floorToMonth(day));
  return month.setUTCMonth(month.getUTCMonth() + 1);
}

/** What the SQL of the selection depends on, without its values. */
export function shapeOfSelection({ owner, tag, equalities, slices }: Selection): string {
  const ranges = slices.map(({ by, begin, end }) => `${begin && 'from'} ${by} ${end && 'to'}`);
  return [owner && 'owner', tag && 'tag', ...equalities.map(({ shape }) => shape), ...ranges].join();
}

/** The same selection, with its values to be bound. */
export function bindSelection(
  { counters, owner, tag, equalities, slices }: Selection,
  bind: Bind<Selection>,
): Selection {
  return {
    counters,
    owner: owner && bind((selection) => selection.owner),
    tag: tag && bind((selection) => selection.tag),
    equalities: bindConditions(equalities, (valueIn) => bind(({ equalities }) => valueIn(equalities))),
    slices: slices.map(({ by, begin, end }, index) => ({
      by,
      begin: begin && bind(({ slices }) => slices[index]?.begin),
      end: end && bind(({ slices }) => slices[index]?.end),
    })),
  };
}

/** Builds the query that counts the rows between two timestamps, as `matches`. */
export type CountRows = (begin: string, end: string) => Knex.QueryBuilder;

/** `total`: the number of rows of the selection. */
export function totalOf(selection: Selection, countRows: CountRows): Knex.QueryBuilder {
  const sums = selection.slices.map((slice) =>
    slice.by === 'row'
      ? countRows(slice.begin as string, slice.end as string)
      : knex.select(sql`sum(total) as matches`).from(countsOf(selection, slice.by, slice)),
  );
  return knex.select(sql`coalesce(sum(matches), 0)::int as total`).from(knex.unionAll(sums).as('part'));
}

/** `begins, ends, by_month, matches`: the time ranges, unordered, with the number of rows in each. */
export function partsOf(selection: Selection, countRows: CountRows): Knex.QueryBuilder {
  return knex.unionAll(
    selection.slices.map(({ by, begin, end }) =>
      by === 'row'
        ? knex.select(
            sql`${begin}::timestamptz as begins`,
            sql`${end}::timestamptz as ends`,
            sql`false as by_month`,
            sql`${countRows(begin as string, end as string)} as matches`,
          )
        : partsIn(selection, by, { begin, end }),
    ),
  );
}

/** The same for the days between two columns. */
export function daysOf(selection: Selection, begin: string, end: string): Knex.QueryBuilder {
  return partsIn(selection, 'day', { begin: knex.ref(begin), end: knex.ref(end) });
}

interface Range {
  begin: string | Knex.Ref<string, object> | undefined;
  /** Exclusive. */
  end: string | Knex.Ref<string, object> | undefined;
}

function partsIn(selection: Selection, by: 'month' | 'day', range: Range): Knex.QueryBuilder {
  const ends =
    by === 'month' ? sql`utc_month(begins + interval '32 days')` : sql`begins + interval '24 hours'`;
  return knex
    .select('begins', sql`${ends} as ends`, by === 'month' ? sql`true as by_month` : sql`false as by_month`)
    .select(sql`sum(total)::integer as matches`)
    .from(countsOf(selection, by, range))
    .groupBy('begins');
}

/** `begins, total`, or `total` alone for a tag: the counts, and the changes that are not folded yet. */
function countsOf(selection: Selection, by: 'month' | 'day', { begin, end }: Range): Knex.QueryBuilder {
  const { counters, owner, tag, equalities } = selection;
  if (tag !== undefined) {
    const counts = knex(counters.countsByTag).select('total').where('tag', tag);
    const changes = knex(counters.changesByTag).select('change').where('tag', tag);
    return knex.unionAll([counts, changes].map((rows) => rows.modify(applyAll, equalities))).as('counted');
  }
  const select = (rows: Knex.QueryBuilder) => {
    applyAll(rows, equalities);
    if (begin !== undefined) rows.where('begins', '>=', begin);
    if (end !== undefined) rows.where('begins', '<', end);
  };
  const counts = knex(owner === undefined ? counters.countsOfAll : counters.countsByOwner)
    .select('begins', 'total')
    .where(counters.owner, owner ?? ANY_OWNER)
    .where('span', SPANS[by])
    .modify(select);
  const changes = knex(counters.changes)
    .select(by === 'month' ? sql`utc_month(begins)` : 'begins', 'change')
    .modify(select);
  if (owner !== undefined) changes.where(sql`coalesce(${knex.ref(counters.owner)}, ${NO_OWNER}) = ${owner}`);
  return knex.unionAll([counts, changes]).as('counted');
}
