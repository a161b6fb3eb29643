import { toAsciiEmail } from '../../spellings/email.ts';
import { readPhoneInUrl } from '../../spellings/phone.ts';
import { type IdPrefix, toUuid } from '../../values/id.ts';
import { endOfRange, startOf } from '../../values/instant-or-date.ts';
import { storableJson } from '../../values/text.ts';
import { MAX_TIME, MIN_TIME } from '../../values/time.ts';
import { type Condition, condition } from './condition.ts';

/** The condition for each filter parameter. `query` holds all parameters, for filters that depend on others. */
export type FilterTable<Query> = {
  [Name in keyof Query]?: (value: NonNullable<Query[Name]>, query: Partial<Query>) => Condition | undefined;
};

/** The conditions for the filters in the query. */
export function conditionsOf<Query extends object>(
  filters: FilterTable<Query>,
  query: Partial<Query>,
): Condition[] {
  return (Object.keys(filters) as (keyof Query)[]).flatMap((name) => {
    const value = query[name];
    const condition = value === undefined || value === null ? undefined : filters[name]?.(value, query);
    return condition === undefined ? [] : [condition];
  });
}

/** Turns a query into conditions, by this table. */
export const filteredBy =
  <Query extends object>(filters: FilterTable<Query>) =>
  (query: Partial<Query>) =>
    conditionsOf(filters, query);

export const equals =
  (column: string) =>
  (value: string | boolean): Condition => ({
    shape: `${column} =`,
    values: [value],
    apply: (rows, [bound]) => rows.where(column, bound as string),
  });

const equalsIgnoringCase = (column: string) => (value: string) =>
  condition(`lower(${column}) = lower(?)`, value);

/** The same; `none` finds rows without a value. */
export const equalsIgnoringCaseOrNone = (column: string) => (value: string) =>
  value === 'none' ? isNull(column) : equalsIgnoringCase(column)(value);

/** For a column with a partial index of the rows that have a value. */
export const isNotNull = (column: string): Condition => ({
  ...condition(`${column} is not null`),
  ofValue: { column, is: 'present' },
});

export const isNull = (column: string): Condition => ({
  ...condition(`${column} is null`),
  complement: isNotNull(column),
});

/** The column is one of the values. Uses `=` for a single value: with `any`, PostgreSQL ignores an index's order. */
export const anyOf = (column: string) => (values: readonly string[]) => ({
  ...(values.length === 1 ? equals(column)(values[0] as string) : condition(`${column} = any(?)`, values)),
  filter: { column, values },
});

/**
 * The same condition, planned once for a single value. For columns with unique values, or with an index that has each
 * value's rows in the default order.
 */
export const indexed =
  <Value>(filter: (value: Value) => Condition) =>
  (value: Value): Condition => {
    const condition = filter(value);
    return { ...condition, isPlannedOnce: !(Array.isArray(value) && value.length > 1) };
  };

/** The phone number that a filter means, as rows have it. */
export const phoneIn = (text: string): string => readPhoneInUrl(text).value ?? text;

/** The index has the last seven digits, for searches as well (see search.ts). It has no order. */
export const hasPhone = (text: string): Condition => {
  const number = phoneIn(text);
  return {
    ...condition('right(phone, 7) = ? and phone = ?', number.slice(-7), number),
    isPlannedOnce: true,
    usesGin: true,
  };
};

/** In any spelling. */
export const hasEmail = (text: string): Condition => ({
  ...equalsIgnoringCase('email')(toAsciiEmail(text) ?? text),
  isPlannedOnce: true,
});

/** The same for any address of a person. `table` has the addresses of all. */
export const hasEmailIn =
  (table: string) =>
  (text: string): Condition => ({
    ...condition(`id = (select owner_id from ${table} where email = lower(?))`, toAsciiEmail(text) ?? text),
    isPlannedOnce: true,
  });

export const anyOfIgnoringCase = (column: string) => (values: readonly string[]) =>
  condition(
    `lower(${column}) = any(?)`,
    values.map((value) => value.toLowerCase()),
  );

/** The row has at least one of these tags, which have a GIN index; `none` means that it has no tag. */
export const hasTag = (tags: readonly string[]): Condition => {
  if (tags.every((tag) => tag === 'none')) return { ...untagged, complement: tagged };
  const some = { ...condition('tags && ?::text[]', tags), usesGin: true };
  if (!tags.includes('none')) return { ...some, filter: { column: 'tags', values: tags } };
  return condition(`(tags && ?::text[] or tags = '{}')`, tags);
};

const untagged = condition(`tags = '{}'`);
const tagged = condition(`tags <> '{}'`);

/** The row has none of these tags. `none` means that it has one. */
export const hasNoTag = (tags: readonly string[]): Condition => {
  if (tags.every((tag) => tag === 'none')) return { ...tagged, complement: untagged };
  const orNone = tags.includes('none') ? ` or tags = '{}'` : '';
  return { ...condition(`not (tags && ?::text[]${orNone})`, tags), complement: hasTag(tags) };
};

/** The jsonb column, which has a GIN index, has these keys with exactly these values. */
export const hasEntries = (column: string) => (entries: Readonly<Record<string, string>>) => ({
  ...condition(`${column} @> ?::jsonb`, storableJson(entries)),
  isPlannedOnce: true,
  usesGin: true,
});

/** The column refers to this id, or is null for `none`. A malformed id matches no row. */
export const refersTo =
  (column: string, prefix: IdPrefix) =>
  (value: string): Condition => {
    if (value === 'none') {
      const complement = condition(`${column} is not null`);
      return { ...condition(`${column} is null`), complement, filter: { column, values: [null] } };
    }
    const uuid = toUuid(prefix, value);
    return uuid === undefined
      ? condition('false')
      : { ...equals(column)(uuid), filter: { column, values: [uuid] } };
  };

/** The rows with these public ids, which are few. */
export const hasId = (prefix: IdPrefix) => (ids: readonly string[]) => ({
  ...condition(
    'id = any(?::uuid[])',
    ids.map((id) => toUuid(prefix, id)),
  ),
  isPlannedOnce: true,
  usesGin: true,
});

/** At or after this instant, or the start of this UTC day. */
export const from = (column: string) => (value: string) => {
  const moment = firstMoment(value);
  const filter = { column, from: moment <= MIN_TIME ? Number.NEGATIVE_INFINITY : moment };
  return { ...condition(`${column} >= ?`, timestamp(moment)), filter };
};

/** The last millisecond of a range that ends here, as a timestamp. */
export const until = (value: string): string => timestamp(endOfRange(value));

/** At or before this instant, or the end of this second or UTC day. */
export const to = (column: string) => (value: string) => {
  const moment = endOfRange(value);
  const filter = { column, to: moment >= MAX_TIME ? Number.POSITIVE_INFINITY : moment };
  return { ...condition(`${column} <= ?`, timestamp(moment)), filter };
};

/**
 * Date on or after, or on or before, this day. Nulls never match. Compares both sort keys of the column (see sortKey), so
 * that the index for the list's order also covers the range.
 */
export const dateFrom = (column: string) => ofDateKeys(column, '>=');
export const dateTo = (column: string) => ofDateKeys(column, '<=');

function ofDateKeys(column: string, operator: '>=' | '<=') {
  const keys = ['-infinity', 'infinity'].map((last) => `coalesce(${column}, '${last}') ${operator} ?::date`);
  return (day: string) => condition(keys.join(' and '), day, day);
}

/** The first millisecond at or after this instant, or of this UTC day. */
function firstMoment(value: string): number {
  return startOf(value) + (isTruncated(value) ? 1 : 0);
}

/** The same, as a timestamp. */
export function since(value: string): string {
  return timestamp(firstMoment(value));
}

/**
 * Columns hold milliseconds, so a finer bound is replaced by an adjacent one: PostgreSQL would round it, and
 * 23:59:59.9999999 would include the next day. PostgreSQL also accepts fewer offsets than RFC 3339, so it gets UTC.
 */
function timestamp(milliseconds: number): string {
  return new Date(Math.min(Math.max(milliseconds, MIN_TIME), MAX_TIME)).toISOString();
}

/** Whether the text is finer than the milliseconds that Date.parse() keeps. */
function isTruncated(value: string): boolean {
  return /\.\d{3}\d*[1-9]/.test(value);
}

interface NextStepFilters {
  next_step_from?: string;
  next_step_to?: string;
  next_step_at?: 'none';
}

/** Filters of leads and contacts by their next step. */
export const nextStepFilters: FilterTable<NextStepFilters> = {
  next_step_from: from('next_step_at'),
  next_step_to: to('next_step_at'),
  next_step_at: () => isNull('next_step_at'),
};

interface DateFilters {
  created_from?: string;
  created_to?: string;
  updated_from?: string;
  updated_to?: string;
}

/** Date filters of every list. */
export const dateFilters: FilterTable<DateFilters> = {
  created_from: from('created_at'),
  created_to: to('created_at'),
  updated_from: from('updated_at'),
  updated_to: to('updated_at'),
};
