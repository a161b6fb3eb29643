import type { Query } from './statement.ts';

/**
 * Counts of a table's rows by the month and day (UTC) of created_at and by the values of other columns, which triggers
 * keep exact: `counts`, and `changes` that are not yet in them. See the migration undivided_days.
 */
export interface Counters {
  counts: string;
  changes: string;
  /** The column that refers to whoever has the row, or nobody. */
  owner: string;
  columns: readonly string[];
}

/** What a condition says of one column. Bounds are milliseconds since 1970, both inclusive. */
export interface CountableFilter {
  column: string;
  values?: readonly (string | null)[];
  from?: number;
  to?: number;
}

/** The rows that a list's conditions select, in the words of the counters. */
export interface Selection {
  counters: Counters;
  owner: string;
  equalities: readonly (readonly [column: string, values: readonly (string | null)[]])[];
  slices: readonly Slice[];
}

/** A part of time that is counted by its months, by its days, or, where it is no whole day, by its rows. */
interface Slice {
  by: 'month' | 'day' | 'row';
  begin: number;
  end: number;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
const ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Undefined where the counters don't know: a condition of another kind, or no whole day, which is soon counted by its rows. */
export function selectionOf(
  counters: Counters,
  facts: readonly (CountableFilter | undefined)[],
): Selection | undefined {
  const equalities: (readonly [string, readonly (string | null)[]])[] = [];
  let owner = ALL;
  let [begin, end] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const fact of facts) {
    if (fact?.column === 'created_at') {
      begin = Math.max(begin, fact.from ?? begin);
      end = Math.min(end, fact.to === undefined ? end : fact.to + 1);
    } else if (fact?.values !== undefined && fact.column === counters.owner) {
      owner = fact.values[0] ?? NOBODY;
    } else if (fact?.values !== undefined && counters.columns.includes(fact.column)) {
      equalities.push([fact.column, fact.values]);
    } else {
      return undefined;
    }
  }
  const slices = slicesOf(begin, end);
  return slices.some(({ by }) => by !== 'row') ? { counters, owner, equalities, slices } : undefined;
}

function slicesOf(begin: number, end: number): Slice[] {
  const [firstDay, lastDay] = [dayFrom(begin), dayUpTo(end)];
  const [firstMonth, lastMonth] = [monthFrom(firstDay), monthUpTo(lastDay)];
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

const DAY = 86_400_000;

function dayUpTo(moment: number): number {
  return Number.isFinite(moment) ? Math.floor(moment / DAY) * DAY : moment;
}

function dayFrom(moment: number): number {
  return Number.isFinite(moment) ? Math.ceil(moment / DAY) * DAY : moment;
}

function monthUpTo(day: number): number {
  return Number.isFinite(day) ? new Date(day).setUTCDate(1) : day;
}

function monthFrom(day: number): number {
  if (!Number.isFinite(day) || monthUpTo(day) === day) return day;
  const month = new Date(monthUpTo(day));
  return month.setUTCMonth(month.getUTCMonth() + 1);
}

/**
 * `select begins, ends, by_month, matches`: the parts of time, in no order, with the number of rows that match in each.
 * `rows` counts those between two moments.
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

/** The same for the days of the month `outer`, an alias of what partsOf() selects. */
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
    owner === ALL ? [] : [{ sql: `${counters.owner} is not distinct from ?`, bindings: [ownerIn(owner)] }];
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
  return owner === NOBODY ? null : owner;
}

function compare(operator: '>=' | '<', value: Query): (column: string) => Query[] {
  return (column) => [{ sql: `${column} ${operator} ${value.sql}`, bindings: value.bindings }];
}

function bound(operator: '>=' | '<', moment: number): (column: string) => Query[] {
  if (!Number.isFinite(moment)) return () => [];
  return compare(operator, { sql: '?::timestamptz', bindings: [iso(moment)] });
}

/** The last year that toISOString() writes with four digits. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

function iso(moment: number): string {
  return moment > LAST ? 'infinity' : new Date(moment).toISOString();
}

function joined(queries: readonly Query[], separator: string): Query {
  return {
    sql: queries.map(({ sql }) => sql).join(separator),
    bindings: queries.flatMap(({ bindings }) => bindings),
  };
}
