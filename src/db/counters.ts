import { DAY, MAX_TIME } from '../time.ts';
import type { Query } from './statement.ts';

/**
 * Exact row counts of a table, by month and day (UTC) of created_at and by the values of other columns. Triggers maintain
 * them: `counts`, plus `changes` that are not folded into the counts yet. See the migration undivided_days.
 */
export interface Counters {
  counts: string;
  changes: string;
  /** The column that refers to the row's owner; null without one. */
  owner: string;
  columns: readonly string[];
}

/** A filter on one column that counters can answer. Bounds are milliseconds since the epoch, both inclusive. */
export interface CountableFilter {
  column: string;
  values?: readonly (string | null)[];
  from?: number;
  to?: number;
}

/** The rows that a list's conditions select, expressed as counter keys. */
export interface Selection {
  counters: Counters;
  owner: string;
  equalities: readonly (readonly [column: string, values: readonly (string | null)[]])[];
  slices: readonly Slice[];
}

/** A time range, counted by months, by days or, if it is shorter than a whole day, by rows. `end` is exclusive. */
interface Slice {
  by: 'month' | 'day' | 'row';
  begin: number;
  end: number;
}

/** Owner keys in `counts`: rows without an owner, and rows of all owners. */
const NO_OWNER = '00000000-0000-0000-0000-000000000000';
const ANY_OWNER = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Undefined if the counters can't answer: other kinds of filters, or no whole day, which is fast to count by rows. */
export function selectionOf(
  counters: Counters,
  filters: readonly (CountableFilter | undefined)[],
): Selection | undefined {
  const equalities: (readonly [string, readonly (string | null)[]])[] = [];
  let owner = ANY_OWNER;
  let [begin, end] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const filter of filters) {
    if (filter?.column === 'created_at') {
      begin = Math.max(begin, filter.from ?? begin);
      end = Math.min(end, filter.to === undefined ? end : filter.to + 1);
    } else if (filter?.values !== undefined && filter.column === counters.owner) {
      owner = filter.values[0] ?? NO_OWNER;
    } else if (filter?.values !== undefined && counters.columns.includes(filter.column)) {
      equalities.push([filter.column, filter.values]);
    } else {
      return undefined;
    }
  }
  const slices = slicesOf(begin, end);
  return slices.some(({ by }) => by !== 'row') ? { counters, owner, equalities, slices } : undefined;
}

function slicesOf(begin: number, end: number): Slice[] {
  const [firstDay, lastDay] = [ceilToDay(begin), floorToDay(end)];
  const [firstMonth, lastMonth] = [ceilToMonth(firstDay), floorToMonth(lastDay)];
  const days: Slice[] =
    firstMonth < lastMonth
      ? [
          { by: 'day', begin: firstDay, end: firstMonth },
          { by: 'month', begin: firstMonth, end: lastMonth },
          { by: 'day', begin: lastMonth, end: lastDay },
        ]
      : [{ by: 'day', begin: firstDay, end: lastDay }];
  const slices: Slice[] = [{ by: 'row', begin, end: firstDay }, ...days, { by: 'row', begin: lastDay, end }];
  return slices.filter((slice) => slice.begin < slice.end);
}

function floorToDay(moment: number): number {
  return Number.isFinite(moment) ? Math.floor(moment / DAY) * DAY : moment;
}

function ceilToDay(moment: number): number {
  return Number.isFinite(moment) ? Math.ceil(moment / DAY) * DAY : moment;
}

function floorToMonth(day: number): number {
  return Number.isFinite(day) ? new Date(day).setUTCDate(1) : day;
}

function ceilToMonth(day: number): number {
  if (!Number.isFinite(day) || floorToMonth(day) === day) return day;
  const month = new Date(floorToMonth(day));
  return month.setUTCMonth(month.getUTCMonth() + 1);
}

/**
 * `select begins, ends, by_month, matches`: the time ranges, unordered, with the number of matching rows in each. `rows`
 * builds the query that counts the rows between two timestamps.
 */
export function partsOf(selection: Selection, rows: (begin: string, end: string) => Query): Query {
  const parts = selection.slices.map(({ by, begin, end }) => {
    if (by !== 'row') return countedParts(selection, by, bound('>=', begin), bound('<', end));
    const [first, next] = [iso(begin), iso(end)];
    const counted = rows(first, next);
    return {
      sql: `select ?::timestamptz as begins, ?::timestamptz as ends, false as by_month, (${counted.sql}) as matches`,
      bindings: [first, next, ...counted.bindings],
    };
  });
  return joined(parts, ' union all ');
}

/** The same for the days of one month. `outer` is the alias of a month selected by partsOf(). */
export function daysOf(selection: Selection, outer: string): Query {
  const moment = (column: string) => ({ sql: `${outer}.${column}`, bindings: [] });
  return countedParts(selection, 'day', compare('>=', moment('begins')), compare('<', moment('ends')));
}

function countedParts(
  { counters, owner, equalities }: Selection,
  by: 'month' | 'day',
  ...bounds: ((column: string) => Query[])[]
): Query {
  const isIn = equalities.map(([column, values]) => ({ sql: `${column} = any(?)`, bindings: [values] }));
  const isOwner: Query[] =
    owner === ANY_OWNER
      ? []
      : [{ sql: `${counters.owner} is not distinct from ?`, bindings: [ownerIn(owner)] }];
  const isWithin = bounds.flatMap((of) => of('begins'));
  const counts = joined(
    [{ sql: `${counters.owner} = ? and span = '${by}'`, bindings: [owner] }, ...isWithin, ...isIn],
    ' and ',
  );
  const changes = joined([{ sql: 'true', bindings: [] }, ...isOwner, ...isWithin, ...isIn], ' and ');
  const [begins, ends] =
    by === 'month'
      ? ['utc_month(begins)', `utc_month(begins + interval '32 days')`]
      : ['begins', `begins + interval '24 hours'`];
  return {
    sql: `select begins, ${ends} as ends, ${by === 'month'} as by_month, sum(total)::integer as matches
      from (
        select begins, total from ${counters.counts} where ${counts.sql}
        union all
        select ${begins}, change from ${counters.changes} where ${changes.sql}
      ) counted
      group by begins`,
    bindings: [...counts.bindings, ...changes.bindings],
  };
}

function ownerIn(owner: string): string | null {
  return owner === NO_OWNER ? null : owner;
}

function compare(operator: '>=' | '<', value: Query): (column: string) => Query[] {
  return (column) => [{ sql: `${column} ${operator} ${value.sql}`, bindings: value.bindings }];
}

function bound(operator: '>=' | '<', moment: number): (column: string) => Query[] {
  if (!Number.isFinite(moment)) return () => [];
  return compare(operator, { sql: '?::timestamptz', bindings: [iso(moment)] });
}

function iso(moment: number): string {
  return moment > MAX_TIME ? 'infinity' : new Date(moment).toISOString();
}

function joined(queries: readonly Query[], separator: string): Query {
  return {
    sql: queries.map(({ sql }) => sql).join(separator),
    bindings: queries.flatMap(({ bindings }) => bindings),
  };
}
