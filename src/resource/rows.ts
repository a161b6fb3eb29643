import { type Db, first } from '../db/db.ts';
import { brokenConstraint, ConflictError } from '../db/errors.ts';
import {
  type Conflict,
  deleteRows,
  findConflict,
  findRow,
  lockRow,
  type Resource,
  type RowLock,
  updateRow,
} from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import type { BaseRow } from '../db/tables.ts';
import { checkIfMatch } from '../http/conditional.ts';
import { missing } from '../merges/merged.ts';
import type { OperationContext } from '../operation.ts';
import { invalidField, Problem, type ProblemCode } from '../problem.ts';
import { toId, toUuid } from '../values/id.ts';
import { differences } from '../values/merge-patch.ts';

/** Input of an operation that changes one resource. */
interface Target {
  path: { id: string };
  headers: { 'if-match'?: string };
}

type Writer = Pick<OperationContext, 'db'>;

/** Finds the row by public id. Throws 404, or 410 if it was merged into another one. */
export async function findOrThrow<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  const uuid = toUuid(resource.prefix, id);
  const row = uuid === undefined ? undefined : await findRow(db, resource, uuid);
  if (row === undefined) throw await missing(db, resource.prefix, id);
  return row;
}

/** Locks the row until the transaction ends. Throws 404 or 410, or 412 if If-Match names another version. */
export async function lockOrThrow<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  { path, headers }: Target,
  rowLock: RowLock = 'no key update',
): Promise<Row> {
  const uuid = toUuid(resource.prefix, path.id);
  const row = uuid === undefined ? undefined : await lockRow(db, resource, uuid, rowLock);
  if (row === undefined) throw await missing(db, resource.prefix, path.id);
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

/**
 * Inserts the row, by a statement that returns nothing if another row has a unique value. Throws 422 in that case, which
 * names that row.
 */
export async function insertOrThrow<Row extends BaseRow>(
  { db }: Writer,
  resource: Resource<Row>,
  row: RowValues<Row> & { id: string },
  statement = resource.statements.insert(row),
): Promise<Row> {
  const inserted = await first(db, statement);
  if (inserted !== undefined) return inserted;
  await rejectDuplicate(db, resource, row.id, row);
  throw new ConflictError();
}

/**
 * Updates the fields of `wanted` that differ. If none do, returns `before` with its version and times. Throws the same 422
 * as insertOrThrow().
 */
export async function updateOrThrow<Row extends BaseRow>(
  { db }: Writer,
  resource: Resource<Row>,
  before: Row,
  wanted: RowValues<Row>,
): Promise<Row> {
  const changes: RowValues<Row> = differences(before, wanted);
  if (Object.keys(changes).length === 0) return before;
  await rejectDuplicate(db, resource, before.id, changes);
  return updateRow(db, resource, before.id, changes).catch(asConflict);
}

/** The error for a row that is still referenced through one of these foreign keys. */
interface InUse {
  code: ProblemCode;
  message: string;
  constraints: readonly string[];
}

/** Deletes the row and returns it. Throws 404, 412, or 409 if it is still referenced. */
export async function deleteOrThrow<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  target: Target,
  inUse?: InUse,
): Promise<Row> {
  const row = await lockOrThrow(db, resource, target, 'update');
  try {
    await deleteRows(db, resource, [row.id]);
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === undefined || !inUse?.constraints.includes(constraint)) throw error;
    throw invalidField('id', inUse.message, inUse.code);
  }
  return row;
}

/** Rejects with ConflictError if another transaction has added the same unique value. */
export function asConflict(error: unknown): never {
  throw brokenConstraint(error)?.endsWith('_key') ? new ConflictError() : error;
}

/** Throws the 422 of a unique value that another row has. */
async function rejectDuplicate<Row extends BaseRow>(
  db: Db,
  resource: Resource<Row>,
  ownId: string,
  values: RowValues<Row>,
): Promise<void> {
  const conflict = await findConflict(db, resource, ownId, values);
  if (conflict !== undefined) throw duplicate(resource, conflict);
}

/** A 422: another row has the value of a unique column. */
export class Duplicate extends Problem {
  readonly column: string;
  /** UUID of the other row. */
  readonly rowId: string;

  constructor(column: string, rowId: string, message: string, details: Problem['details']) {
    super(`duplicate_${column}` as ProblemCode, message, { details });
    this.column = column;
    this.rowId = rowId;
  }
}

/** The 422 of a unique value that another row has. */
export function duplicate<Row extends BaseRow>(
  resource: Resource<Row>,
  { column, field = column, id }: Conflict,
): Duplicate {
  const message = `is already used by ${resource.another}`;
  return new Duplicate(column, id, `${field} ${message}.`, {
    errors: { [field]: [message] },
    existing_id: toId(resource.prefix, id),
  });
}
