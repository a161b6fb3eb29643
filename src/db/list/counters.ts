import type { Knex } from 'knex';
import { DAY, MAX_TIME } from '../../values/time.ts';
import { type Bind, knex, sql } from '../query.ts';
import { applyAll, bindConditions, type Condition } from './condition.ts';

/**
 * Exact row counts of a table, which triggers maintain: by month and day (UTC) of created_at and by owner, or by tag. See
 * the migration lead_counters.
 */
export interface Counters {
  /** `kind, key, period, total`, and the columns below. */
  table: string;
  /** The same, but not folded yet: only of the kinds `owner_day` and `tag`. */
  changes: string;
  /** The column that refers to the row's owner. */
  owner: string;
  columns: readonly string[];
}

/** A value, or its placeholder. */
type Value = string | Knex.Raw;

/** The rows selected by a list's conditions, expressed as counter keys. */
export interface Selection {
  counters: Counters;
  /** Undefined for the rows of all owners. */
  owner: Value | undefined;
  /** Only the rows with this tag. Then there is neither an owner nor a bounded slice. */
  tag: Value | undefined;
  /** Conditions on columns that the counters have. */
  equalities: readonly Condition[];
  slices: readonly Slice[];
}

/** A time range, counted by months, by days or, if it is shorter than a whole day, by rows. */
interface Slice {
  by: 'month' | 'day' | 'row';
  /** Timestamps, undefined if unbounded. */
  begin: Value | undefined;
  /** Exclusive. */
  end: Value | undefined;
}

/** The key of rows without an owner. */
const NO_OWNER = 'none';
/** Kind and key of counters, as constants: the planner must know the partition. */
const OF_ALL = { month: sql`kind = 'month' and key = 'all'`, day: sql`kind = 'day' and key = 'all'` };
const BY_OWNER = { month: sql`kind = 'owner_month'`, day: sql`kind = 'owner_day'` };
const BY_TAG = sql`kind = 'tag'`;
/** The length of a period. */
const LENGTHS = { month: sql`interval '1 month'`, day: sql`interval '1 day'` };

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

/** Everything that the selection's SQL depends on, except values. */
export function shapeOfSelection({ owner, tag, equalities, slices }: Selection): string {
  const ranges = slices.map(({ by, begin, end }) => `${begin && 'from'} ${by} ${end && 'to'}`);
  return [owner && 'owner', tag && 'tag', ...equalities.map(({ shape }) => shape), ...ranges].join();
}

/** The same selection, with placeholders for its values. */
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
export type CountRows = (begin: Value, end: Value) => Knex.QueryBuilder;

/** `total`: the number of rows of the selection. */
export function totalOf(selection: Selection, countRows: CountRows): Knex.QueryBuilder {
  const sums = selection.slices.map((slice) =>
    slice.by === 'row'
      ? countRows(slice.begin as Value, slice.end as Value)
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
            sql`${countRows(begin as Value, end as Value)} as matches`,
          )
        : partsIn(selection, by, { begin, end }),
    ),
  );
}

/** The same for the days between two columns. */
export function daysOf(selection: Selection, begin: string, end: string): Knex.QueryBuilder {
  const dateOf = (column: string) => sql`utc_date(${knex.ref(column)})`;
  return partsIn(selection, 'day', { begin: dateOf(begin), end: dateOf(end) });
}

interface Range {
  begin: Value | undefined;
  /** Exclusive. */
  end: Value | undefined;
}

function partsIn(selection: Selection, by: 'month' | 'day', range: Range): Knex.QueryBuilder {
  return knex
    .select(
      sql`period::timestamp at time zone 'UTC' as begins`,
      sql`(period + ${LENGTHS[by]}) at time zone 'UTC' as ends`,
      by === 'month' ? sql`true as by_month` : sql`false as by_month`,
      sql`sum(total)::integer as matches`,
    )
    .from(countsOf(selection, by, range))
    .groupBy('period');
}

/** `period, total`: the counters, and the changes that are not folded yet. */
function countsOf(selection: Selection, by: 'month' | 'day', { begin, end }: Range): Knex.QueryBuilder {
  const { counters, owner, tag, equalities } = selection;
  const select = (rows: Knex.QueryBuilder) => {
    if (tag !== undefined) rows.where(BY_TAG).where('key', tag);
    if (begin !== undefined) rows.where(sql`period >= ${begin}::date`);
    if (end !== undefined) rows.where(sql`period < ${end}::date`);
    applyAll(rows, equalities);
  };
  const counts = knex(counters.table).select('period', 'total').modify(select);
  const changes = knex(counters.changes).select(periodOf(by), 'total').modify(select);
  if (tag === undefined) {
    counts.where(owner === undefined ? OF_ALL[by] : BY_OWNER[by]);
    changes.where(BY_OWNER.day);
    if (owner !== undefined) for (const rows of [counts, changes]) rows.where('key', owner);
  }
  return knex.unionAll([counts, changes]).as('counted');
}

/** The period of a change, which is recorded by day. Ranges of months include whole months, so they can compare days. */
function periodOf(by: 'month' | 'day'): Knex.Raw | string {
  return by === 'month' ? sql`date_trunc('month', period::timestamp)::date as period` : 'period';
}
