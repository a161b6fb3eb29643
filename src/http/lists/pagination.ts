import { hash } from 'node:crypto';
import { parameters } from '../../../generated/limits.ts';
import { readChangeHorizon } from '../../db/change-horizon.ts';
import type { Condition } from '../../db/list/condition.ts';
import { fetchPage } from '../../db/list/fetch-page.ts';
import { to } from '../../db/list/filters.ts';
import { type ListSource, type PageRequest, sortValueOf } from '../../db/list/page.ts';
import type { OperationContext, Schema } from '../../operation.ts';
import { invalidCursor, invalidParameter, type Problem } from '../../problem.ts';
import { endOfRange, isDate, isInstantOrDate, startOf } from '../../values/instant-or-date.ts';
import { type ExpandQuery, expander } from '../expand/expand.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { linkHeader, pathOf } from './links.ts';
import { checkSearch } from './search.ts';
import { selectRows } from './select-rows.ts';

/** Query parameters of every list. All others are filters. */
export interface ListQuery extends ExpandQuery {
  page?: number;
  per_page: number;
  cursor?: string;
  sort?: string;
  search?: string;
  updated_from?: string;
  fields?: readonly string[];
  metadata?: Readonly<Record<string, string>>;
}

interface List<Row, Data> {
  query: ListQuery;
  conditions: readonly Condition[];
  toData: (row: Row) => Data;
}

/**
 * 200 with one page of a list, by page number or cursor, and its Link header. Throws 400 for a cursor of another list, an
 * inverted range, or a search with too many words.
 *
 * With `updated_from`, the list ends at the change horizon. Its cursor keeps the horizon, so that no later change comes in
 * before an earlier one that the walk has already passed.
 */
export async function list<Row extends { id: string }, Data>(
  { db, url, principal }: Pick<OperationContext, 'db' | 'url' | 'principal'>,
  list: ListSource,
  { query, conditions: given, toData }: List<Row, Data>,
) {
  const expand = expander({ principal }, query);
  checkRanges(query);
  checkSearch(query.search);
  const { per_page } = query;
  const { source, sort, conditions } = await selectRows(db, list, query, given);
  const origin = originOf(url, query);
  if (query.cursor !== undefined && query.page !== undefined) {
    throw invalidParameter('page', 'cannot be combined with cursor, which already says where to continue');
  }
  const cursor = query.cursor === undefined ? undefined : parseCursor(query.cursor, origin, sort.type);
  const page = cursor?.page ?? query.page ?? 1;
  const isInOrder = query.updated_from !== undefined;
  const horizon = isInOrder ? (cursor?.horizon ?? (await readChangeHorizon(db))) : undefined;
  const { rows, found, total } = await fetchPage<Row>(db, source, {
    search: query.search,
    conditions: upTo(horizon, conditions),
    sort,
    // One extra row shows whether there is a next page.
    limit: per_page + 1,
    offset: cursor === undefined ? (page - 1) * per_page : 0,
    after: cursor,
  });
  const shown = rows.slice(0, per_page);
  const last = found > shown.length ? shown.at(-1) : undefined;
  const meta = {
    total,
    per_page,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / per_page)),
    next_cursor:
      last === undefined
        ? null
        : encodeCursor([
            sortValueOf(last, sort),
            last.id,
            page + 1,
            ...origin,
            ...(horizon ? [horizon] : []),
          ]),
    has_more: last !== undefined,
  };
  const data = shown.map(toData);
  await expand(db, shown, data);
  const isCut = shown.length < Math.min(found, per_page);
  return {
    status: 200 as const,
    // A page that was truncated for its size is followed by its own rest.
    headers: linksOf(url, query, meta, isCut || isInOrder),
    body: { data, meta },
  };
}

/** With the condition that the row changed before the horizon, if there is one. */
export function upTo(horizon: string | undefined, conditions: readonly Condition[]): readonly Condition[] {
  return horizon === undefined ? conditions : [...conditions, to('updated_at')(horizon)];
}

/** Rejects inverted ranges: they would return nothing and hide the client's mistake. */
export function checkRanges(query: object): void {
  const values = new Map(Object.entries(query));
  for (const [name, start] of values) {
    if (!name.endsWith('_from')) continue;
    const end = values.get(name.replace(/_from$/, '_to'));
    if (isMoment(start) && isMoment(end) && startOf(start) > endOfRange(end)) {
      throw invalidParameter(name, `must not be later than ${name.replace(/_from$/, '_to')}`);
    }
  }
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && isInstantOrDate(value);
}

/** The list that a cursor belongs to, and its filters and sort, as hashes. */
type Origin = readonly [list: string, filters: string];

interface Cursor {
  value: string;
  id: string;
  page: number;
  /** Where a list in order of change ends. */
  horizon: string | undefined;
}

function parseCursor(text: string, origin: Origin, type: PageRequest['sort']['type']): Cursor {
  const [value, id, page, list, filters, horizon] = decodeCursor(text);
  if (typeof list !== 'string' || typeof filters !== 'string') throw unknownCursor();
  if (list !== origin[0]) {
    throw invalidCursor('cursor', 'belongs to another list, or to the same list of the other environment');
  }
  if (filters !== origin[1]) {
    throw invalidCursor(
      'cursor',
      'belongs to a list with other filters or another sort; send the same ones as before',
    );
  }
  const isValid =
    typeof value === 'string' &&
    isValidValue[type](value) &&
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(id)) &&
    typeof page === 'number' &&
    Number.isInteger(page) &&
    page > 0 &&
    page <= parameters.Page.maximum &&
    (horizon === undefined || (typeof horizon === 'string' && isTimestamp(horizon)));
  if (!isValid) throw unknownCursor();
  return { value, id: String(id), page, horizon };
}

function unknownCursor(): Problem {
  return invalidCursor('cursor', 'must be the next_cursor of an earlier answer, unchanged');
}

/** Whether a value has the format that this service writes into cursors. */
const isValidValue: Record<PageRequest['sort']['type'], (value: string) => boolean> = {
  timestamptz: isTimestamp,
  text: (value) => !value.includes('\0'),
  bigint: (value) => /^\d{1,15}$/.test(value),
  numeric: (value) => /^\d{1,15}(\.\d{1,4})?$/.test(value),
  date: (value) => isDate(value) || /^-?infinity$/.test(value),
  jsonb: isScalar,
};

/** Whether the text is a number, a boolean or a text in JSON, without NUL. */
function isScalar(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && !value.includes('\0'))
    );
  } catch {
    return false;
  }
}

/** Whether the text has the format of Date.toISOString(). */
function isTimestamp(text: string): boolean {
  return text.length === '2026-11-20T09:30:00.000Z'.length && text.endsWith('Z') && isInstantOrDate(text);
}

/**
 * Distinguishes lists by path, which names the environment and the parent resource, and by filters and sort, so that a
 * cursor can't be used on another list. It can be used with other fields or expansions, or a page of another size.
 */
function originOf(
  url: string,
  {
    page: _page,
    per_page: _perPage,
    cursor: _cursor,
    fields: _fields,
    expand: _expand,
    ...filters
  }: ListQuery,
): Origin {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return [shortHash(pathOf(url)), shortHash(JSON.stringify(sorted))];
}

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 12);
}

/**
 * The Link header. After a request with a cursor, the next page is linked by cursor, and there is no `prev`. `needsCursor`: the
 * next page by number might skip rows.
 */
function linksOf(url: string, query: ListQuery, meta: Schema<'ListMeta'>, needsCursor: boolean) {
  const { page: _page, cursor, ...rest } = query;
  const page = meta.current_page;
  const byNumber = cursor === undefined && !needsCursor;
  return linkHeader(url, rest, {
    first: { page: 1 },
    ...(cursor === undefined && page > 1 && { prev: { page: Math.min(page - 1, meta.last_page) } }),
    ...(meta.next_cursor !== null && {
      next: byNumber ? { page: page + 1 } : { cursor: meta.next_cursor },
    }),
    last: { page: meta.last_page },
  });
}
