import type { Principal } from '../auth/principal.ts';
import { covers } from '../auth/scopes.ts';
import { brokenConstraint } from '../db/errors.ts';
import { conditionsOf, type FilterTable } from '../db/filters.ts';
import { toId, toUuid } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import { type Condition, fetchPage, type ListSource, type SortableColumns } from '../db/list.ts';
import {
  deleteRow,
  findConflict,
  findRow,
  insertRow,
  lockRow,
  type Resource,
  type RowLock,
  updateRow,
  type Values,
} from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { differences } from '../merge-patch.ts';
import { checkIfMatch, etag } from './conditional.ts';
import type { OperationContext } from './operation.ts';
import { type ListQuery, paginate } from './pagination.ts';
import { invalidField, notFound, Problem, type ProblemCode } from './problem.ts';

/** A conflicting row may be deleted between the failed write and its lookup. The write is then retried. */
const MAX_ATTEMPTS = 3;

/** Input of an operation that changes one resource. */
interface Target {
  path: { id: string };
  headers: { 'if-match'?: string };
}

interface Versioned {
  id: string;
  version: number;
}

/** Finds the row by public id. Throws 404. */
export async function find<Row extends BaseRow>(db: Db, resource: Resource<Row>, id: string): Promise<Row> {
  const uuid = toUuid(resource.prefix, id);
  const row = uuid === undefined ? undefined : await findRow(db, resource, uuid);
  if (row === undefined) throw notFound(`The ${resource.prefix} ${id}`);
  return row;
}

/** Locks the row until the transaction ends. Throws 404, or 412 if If-Match names another version. */
export async function lock<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  { path, headers }: Target,
  rowLock: RowLock = 'no key update',
): Promise<Row> {
  const uuid = toUuid(resource.prefix, path.id);
  const row = uuid === undefined ? undefined : await lockRow(db, resource, uuid, rowLock);
  if (row === undefined) throw notFound(`The ${resource.prefix} ${path.id}`);
  checkIfMatch(headers['if-match'], row.version);
  return row;
}

/**
 * Locks the row that a body field references, so that it can't be deleted before the transaction ends. Throws 422 that
 * the field must be the id of `what`.
 */
export async function lockReferenced<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  field: string,
  id: string,
  what: string,
): Promise<Row> {
  const uuid = toUuid(resource.prefix, id);
  const row = uuid === undefined ? undefined : await lockRow(db, resource, uuid, 'key share');
  if (row === undefined) throw invalidField(field, `must be the id of ${what}`);
  return row;
}

/** 200 with one page of the resource's list. */
export async function list<Row extends BaseRow, Query extends ListQuery, Data>(
  resource: Resource<Row>,
  filters: FilterTable<Query>,
  toData: (row: Row) => Data,
  query: Query,
  { db, baseUrl }: OperationContext,
) {
  return listAt(`${baseUrl}/${resource.table}`, resource, conditionsOf(filters, query), toData, query, db);
}

/** 200 with one page of the rows that match the conditions. `url` is the absolute URL of the list. */
export async function listAt<Row extends { id: string }, Data>(
  url: string,
  source: ListSource & { sortable: SortableColumns },
  conditions: readonly Condition[],
  toData: (row: Row) => Data,
  query: ListQuery,
  db: Db,
) {
  const { rows, meta, headers } = await paginate(url, query, source.sortable, (request) =>
    fetchPage<Row>(db, source, { ...request, conditions }),
  );
  return { status: 200 as const, headers, body: { data: rows.map(toData), meta } };
}

/** 200 with the resource and its ETag. */
export function ok<Data extends Versioned>(data: Data) {
  return { status: 200 as const, headers: { ETag: etag(data.version) }, body: { data } };
}

/** 201 with the resource, its ETag and its Location below `listUrl`. */
export function created<Data extends Versioned>(listUrl: string, data: Data) {
  return {
    status: 201 as const,
    headers: { Location: `${listUrl}/${data.id}`, ETag: etag(data.version) },
    body: { data },
  };
}

/** 200 with the resource as changed by `apply`, which runs while the row is locked. */
export async function changed<Row extends BaseRow, Body, Data extends Versioned>(
  resource: Resource<Row>,
  toData: (row: Row) => Data,
  apply: (before: Row, body: Body, context: OperationContext) => Promise<Row>,
  input: Target & { body: Body },
  context: OperationContext,
) {
  const before = await lock(context.db, resource, input);
  return ok(toData(await apply(before, input.body, context)));
}

/** The error for a row that is still referenced through one of these foreign keys. */
interface InUse {
  code: ProblemCode;
  message: string;
  constraints: readonly string[];
}

/** Deletes the row and returns it. Throws 422 if it is still referenced. */
export async function remove<Row extends BaseRow>(
  resource: Resource<Row>,
  input: Target,
  { db }: OperationContext,
  inUse?: InUse,
): Promise<Row> {
  const row = await lock(db, resource, input, 'update');
  try {
    await deleteRow(db, resource, row.id);
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === undefined || !inUse?.constraints.includes(constraint)) throw error;
    throw invalidField('id', inUse.message, inUse.code);
  }
  return row;
}

/** 204 No Content. */
export const noContent = { status: 204 as const, body: undefined };

/** Inserts the row. Throws 422 if another row has a unique value; names that row if the principal may read it. */
export async function insertUnique<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  row: Values<Row> & { id: string },
  principal: Principal,
  insert: (db: Db, resource: Resource<Row>, row: Values<Row>) => Promise<Row | undefined> = insertRow,
): Promise<Row> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const inserted = await insert(db, resource, row);
    if (inserted !== undefined) return inserted;
    const duplicate = await findDuplicate(db, resource, row.id, row, principal);
    if (duplicate !== undefined) throw duplicate;
  }
  throw new Error('The insert conflicted with a row that could not be found.');
}

/**
 * Updates the fields of `wanted` that differ. If none do, version and times stay unchanged. Throws the same 422 as
 * insertUnique().
 */
export async function change<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  before: Row,
  wanted: Values<Row>,
  principal: Principal,
): Promise<Row> {
  const changes: Values<Row> = differences(before, wanted);
  if (Object.keys(changes).length === 0) return before;
  const update = (trx: Db) => updateRow(trx, resource, before.id, changes);
  if (!resource.unique.some(({ column }) => column in changes)) return update(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A savepoint keeps the transaction usable for looking up the other row.
      return await db.transaction(update);
    } catch (error) {
      if (!brokenConstraint(error)?.endsWith('_key')) throw error;
      const duplicate = await findDuplicate(db, resource, before.id, changes, principal);
      if (duplicate !== undefined || attempt === MAX_ATTEMPTS) throw duplicate ?? error;
    }
  }
}

async function findDuplicate<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  ownId: string,
  values: Values<Row>,
  principal: Principal,
): Promise<Problem | undefined> {
  const conflict = await findConflict(db, resource, ownId, values);
  if (conflict === undefined) return undefined;
  const { column, id } = conflict;
  const message = `is already used by ${resource.another}`;
  const mayRead = covers(principal.scopes, `${resource.table}:read`);
  return new Problem(`duplicate_${column}` as ProblemCode, `${column}: ${message}`, {
    details: {
      errors: { [column]: [message] },
      ...(mayRead && { existing_id: toId(resource.prefix, id) }),
    },
  });
}
