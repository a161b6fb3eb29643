import type { Db } from '../db/db.ts';
import { ConflictError } from '../db/errors.ts';
import { findRow, lockRow, type Resource, type RowLock } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { isMergedKind } from '../merges/merged.ts';
import { findMergesByEmails } from '../merges/queries.ts';
import { keyOf, keysOf } from './known-rows.ts';
import { Duplicate } from './rows.ts';

interface Wanted<Row extends BaseRow> {
  resource: Resource<Row>;
  /** A unique column. */
  column: keyof Row & string;
  /** The first of these that a row has finds it. */
  values: readonly string[];
  rowLock: RowLock;
}

/**
 * Finds and locks a row by a unique value, or by the address of one that was merged into it, or else adds it. Throws ConflictError
 * if a concurrent request has just added it, and 422 if the new row has a unique value of another one.
 */
export async function findOrAdd<Row extends BaseRow>(
  db: Db,
  wanted: Wanted<Row>,
  add: () => Promise<Row>,
): Promise<{ row: Row; isNew: boolean }> {
  for (const value of wanted.values) {
    const row = await lockByValue(db, wanted, value);
    if (row !== undefined) return { row, isNew: false };
  }
  try {
    return { row: await add(), isNew: true };
  } catch (error) {
    if (!(error instanceof Duplicate) || (await isAnother(db, wanted, error))) throw error;
    throw new ConflictError();
  }
}

/** The row with this value, or into which the one with this address was merged. */
async function lockByValue<Row extends BaseRow>(
  db: Db,
  { resource, column, rowLock }: Wanted<Row>,
  value: string,
): Promise<Row | undefined> {
  const row = await lockRow(db, resource, value, rowLock, column);
  if (row !== undefined) return row;
  if (column !== 'email' || !isMergedKind(resource.prefix)) return undefined;
  const id = (await findMergesByEmails(db, resource.prefix, [value])).get(value.toLowerCase());
  return id === undefined ? undefined : lockRow(db, resource, id, rowLock);
}

/** Whether the conflicting row is a different one. */
async function isAnother<Row extends BaseRow>(
  db: Db,
  { resource, column, values }: Wanted<Row>,
  duplicate: Duplicate,
): Promise<boolean> {
  if (duplicate.column === column) return false;
  const row = await findRow(db, resource, duplicate.rowId);
  if (row === undefined) return false;
  const keys = keysOf(resource, row);
  return !values.some((value) => keys.includes(keyOf(resource, column, value)));
}
