import { hash } from 'node:crypto';
import type { ListPage, ListRequest, SortableColumns } from '../db/list.ts';
import { endOf, isInstantOrDate, startOf } from './instant-or-date.ts';
import type { Schema } from './operation.ts';
import { invalidCursor, invalidParameter, type Problem } from './problem.ts';

/** Query parameters of every list. All others are filters. */
export interface ListQuery {
  page?: number;
  per_page?: number;
  cursor?: string;
  sort?: string;
  search?: string;
}

type Fetch<Row> = (request: Omit<ListRequest, 'conditions'>) => Promise<ListPage<Row>>;

interface ListAnswer<Row> {
  rows: Row[];
  meta: Schema<'ListMeta'>;
  headers: { Link: string };
}

const DEFAULT_PER_PAGE = 20;
const MAX_PAGE = 2_147_483_647;

/**
 * Fetches one page of a list, by page number or cursor, and builds `meta` and the Link header. `url` is the absolute URL
 * of the list. Cursors are bound to its path, which identifies the environment and the parent resource. Throws 400 for a
 * cursor of another list, or for an inverted range.
 */
export async function paginate<Row extends { id: string }>(
  url: string,
  query: ListQuery,
  sortable: SortableColumns,
  fetch: Fetch<Row>,
): Promise<ListAnswer<Row>> {
  checkRanges(query);
  const perPage = query.per_page ?? DEFAULT_PER_PAGE;
  const sort = parseSort(query.sort ?? `-${Object.keys(sortable)[0]}`, sortable);
  const origin = originOf(url, query);
  if (query.cursor !== undefined && query.page !== undefined) {
    throw invalidParameter('page', 'cannot be combined with cursor, which already says where to continue');
  }
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor, origin, sort.type);
  const page = cursor?.page ?? query.page ?? 1;
  // One extra row shows whether there is a next page.
  const fetched = await fetch({
    search: query.search,
    sort,
    limit: perPage + 1,
    offset: cursor === undefined ? (page - 1) * perPage : 0,
    after: cursor,
  });
  const rows = fetched.rows.slice(0, perPage);
  const last = fetched.found > rows.length ? rows.at(-1) : undefined;
  const nextCursor =
    last === undefined
      ? null
      : encodeCursor({
          value: toCursorValue(last[sort.column as keyof Row]),
          id: last.id,
          page: page + 1,
          ...origin,
        });
  const isCut = rows.length < Math.min(fetched.found, perPage);
  const meta = {
    total: fetched.total,
    per_page: perPage,
    current_page: page,
    last_page: Math.max(1, Math.ceil(fetched.total / perPage)),
    next_cursor: nextCursor,
  };
  return { rows, meta, headers: { Link: links(url, query, meta, isCut) } };
}

function parseSort(sort: string, sortable: SortableColumns): ListRequest['sort'] {
  const column = sort.replace(/^-/, '');
  const type = sortable[column];
  if (type === undefined)
    throw invalidParameter('sort', `must be one of ${Object.keys(sortable).join(', ')}`);
  return { column, type, descending: sort.startsWith('-') };
}

/** Rejects inverted ranges: they would return nothing and hide the client's mistake. */
function checkRanges(query: object): void {
  const values = new Map(Object.entries(query));
  for (const [name, start] of values) {
    if (!name.endsWith('_from')) continue;
    const end = values.get(name.replace(/_from$/, '_to'));
    if (typeof start === 'string' && typeof end === 'string' && startOf(start) > endOf(end)) {
      throw invalidParameter(name, `must not be later than ${name.replace(/_from$/, '_to')}`);
    }
  }
}

/** Identifies the list, filters and sort that a cursor belongs to, as hashes. */
interface Origin {
  list: string;
  filters: string;
}

interface Cursor extends Origin {
  value: string;
  id: string;
  page: number;
}

function encodeCursor({ value, id, page, list, filters }: Cursor): string {
  return Buffer.from(JSON.stringify([value, id, page, list, filters])).toString('base64url');
}

function decodeCursor(text: string, origin: Origin, type: ListRequest['sort']['type']): Cursor {
  const parts = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  const [value, id, page, list, filters] = Array.isArray(parts) ? parts : [];
  if (typeof list !== 'string' || typeof filters !== 'string') throw unknownCursor();
  if (list !== origin.list) {
    throw invalidCursor('cursor', 'belongs to another list, or to the same list of the other environment');
  }
  if (filters !== origin.filters) {
    throw invalidCursor(
      'cursor',
      'belongs to a list with other filters or another sort; send these as they were',
    );
  }
  const isValid =
    typeof value === 'string' &&
    isValidValue[type](value) &&
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(id)) &&
    Number.isInteger(page) &&
    page > 0 &&
    page <= MAX_PAGE;
  if (!isValid) throw unknownCursor();
  return { value, id: String(id), page, ...origin };
}

function unknownCursor(): Problem {
  return invalidCursor('cursor', 'is not a cursor issued by this service');
}

/** Whether a value has the format that this service writes into cursors. */
const isValidValue: Record<ListRequest['sort']['type'], (value: string) => boolean> = {
  timestamptz: isTimestamp,
  text: (value) => !value.includes('\0'),
  bigint: (value) => /^\d{1,15}$/.test(value),
};

/** The format of Date.toISOString(). */
function isTimestamp(text: string): boolean {
  return text.length === '2026-11-20T09:30:00.000Z'.length && text.endsWith('Z') && isInstantOrDate(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Distinguishes lists by path, filters and sort, so that a cursor can't be used on another list. */
function originOf(
  url: string,
  { page: _page, per_page: _perPage, cursor: _cursor, ...filters }: ListQuery,
): Origin {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return { list: shortHash(new URL(url).pathname), filters: shortHash(JSON.stringify(sorted)) };
}

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 12);
}

function toCursorValue(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/**
 * The Link header (RFC 8288). A request with a cursor links to the next page by cursor and has no `prev`. So does a page
 * that was truncated because it was too large: the next page by number would skip the rest of it.
 */
function links(url: string, query: ListQuery, meta: Schema<'ListMeta'>, isCut: boolean): string {
  const { page: _page, cursor, ...rest } = query;
  const target = (position: Record<string, string>) =>
    `<${url}?${new URLSearchParams({ ...(rest as Record<string, string>), ...position })}>`;
  const page = meta.current_page;
  const linkValues = [`${target({ page: '1' })}; rel="first"`];
  if (cursor === undefined && page > 1) {
    linkValues.push(`${target({ page: String(Math.min(page - 1, meta.last_page)) })}; rel="prev"`);
  }
  if (meta.next_cursor !== null) {
    const next: Record<string, string> =
      cursor === undefined && !isCut ? { page: String(page + 1) } : { cursor: meta.next_cursor };
    linkValues.push(`${target(next)}; rel="next"`);
  }
  linkValues.push(`${target({ page: String(meta.last_page) })}; rel="last"`);
  return linkValues.join(', ');
}
