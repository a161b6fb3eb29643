import type { Knex } from 'knex';
import type { CountableFilter } from './counters.ts';
import { type IdPrefix, toUuid } from './id.ts';
import type { Condition } from './list.ts';

/** For each query parameter that filters: the condition it means. `query` holds all parameters, for those that go together. */
export type FilterTable<Query> = {
  [Name in keyof Query]?: (value: NonNullable<Query[Name]>, query: Query) => Condition | undefined;
};

/** The conditions of those filters that the query holds. */
export function conditionsOf<Query extends object>(filters: FilterTable<Query>, query: Query): Condition[] {
  return (Object.keys(filters) as (keyof Query)[]).flatMap((name) => {
    const value = query[name];
    const condition = value === undefined || value === null ? undefined : filters[name]?.(value, query);
    return condition === undefined ? [] : [condition];
  });
}

function condition(sql: string, ...bindings: Knex.RawBinding[]): Condition {
  return { sql, bindings };
}

/** A condition that counters may know too. */
function countable(fact: CountableFilter, sql: string, ...bindings: Knex.RawBinding[]): Condition {
  return { sql, bindings, fact };
}

export const equals = (column: string) => (value: string | boolean) => condition(`${column} = ?`, value);

export const equalsIgnoringCase = (column: string) => (value: string) =>
  condition(`lower(${column}) = lower(?)`, value);

/** The column is one of the values. A single one is compared by itself: `any` would hide the order of an index behind it. */
export const anyOf = (column: string) => (values: readonly string[]) =>
  values.length === 1
    ? countable({ column, values }, `${column} = ?`, ...values)
    : countable({ column, values }, `${column} = any(?)`, [...values]);

export const anyOfIgnoringCase = (column: string) => (values: readonly string[]) =>
  anyOf(`lower(${column})`)(values.map((value) => value.toLowerCase()));

/** The array column holds one of the values. */
export const overlaps = (column: string) => (values: readonly string[]) =>
  condition(`${column} && ?::text[]`, [...values]);

/** The column refers to this id, or to nothing for `none`. An id of the wrong shape refers to nothing that exists. */
export const refersTo = (column: string, prefix: IdPrefix) => (value: string) => {
  if (value === 'none') return countable({ column, values: [null] }, `${column} is null`);
  const uuid = toUuid(prefix, value);
  return uuid === undefined
    ? condition('false')
    : countable({ column, values: [uuid] }, `${column} = ?`, uuid);
};

/** From this instant, or from the beginning of this UTC day. */
export const from = (column: string) => (value: string) => {
  const moment = Date.parse(value) + (isCutShort(value) ? 1 : 0);
  const fact = { column, from: moment <= FIRST ? Number.NEGATIVE_INFINITY : moment };
  return countable(fact, `${column} >= ?::timestamptz`, timestamp(moment));
};

/** Up to and including this instant, or to the end of this UTC day. */
export const to = (column: string) => (value: string) => {
  const moment = Date.parse(value) + (isDate(value) ? DAY - 1 : 0);
  const fact = { column, to: moment >= LAST ? Number.POSITIVE_INFINITY : moment };
  return countable(fact, `${column} <= ?::timestamptz`, timestamp(moment));
};

const DAY = 86_400_000;

/** The years that both PostgreSQL and toISOString write with four digits; no row lies outside of them. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Columns hold milliseconds, so a derivedEvents bound is one of the two next to it: PostgreSQL would round it, and
 * 23:59:59.9999999 would let the next day in. It also knows fewer offsets than RFC 3339, so it gets UTC.
 */
function timestamp(milliseconds: number): string {
  return new Date(Math.min(Math.max(milliseconds, FIRST), LAST)).toISOString();
}

/** Whether the text is derivedEvents than the milliseconds that Date.parse keeps of it. */
function isCutShort(value: string): boolean {
  return /\.\d{3}\d*[1-9]/.test(value);
}

function isDate(value: string): boolean {
  return value.length === 10;
}

interface DateFilters {
  created_from?: string;
  created_to?: string;
  updated_from?: string;
  updated_to?: string;
}

/** The date filters that every list has. */
export const dateFilters: FilterTable<DateFilters> = {
  created_from: from('created_at'),
  created_to: to('created_at'),
  updated_from: from('updated_at'),
  updated_to: to('updated_at'),
};
