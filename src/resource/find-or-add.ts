import type { Db } from '../db/db.ts';
import { ConflictError } from '../db/errors.ts';
import { findRow, lockRow, type Resource, type RowLock } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { isMergedKind } from '../merges/merged.ts';
import { findMergesByEmails } from '../merges/queries.ts';
import { keyOf } from './known-rows.ts';
import { Duplicate } from './rows.ts';

interface Wanted<Row extends BaseRow> {
  resource: Resource<Row>;
  /** A unique column. */
  column: keyof Row & string;
  value: string;
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
  const { resource, column, value, rowLock } = wanted;
  const row = (await lockRow(db, resource, value, rowLock, column)) ?? (await lockSurvivor(db, wanted));
  if (row !== undefined) return { row, isNew: false };
  try {
    return { row: await add(), isNew: true };
  } catch (error) {
    if (!(error instanceof Duplicate) || (await isAnother(db, wanted, error))) throw error;
    throw new ConflictError();
  }
}

/** The row into which the one with this address was merged. */
async function lockSurvivor<Row extends BaseRow>(
  db: Db,
  { resource, column, value, rowLock }: Wanted<Row>,
): Promise<Row | undefined> {
  if (column !== 'email' || !isMergedKind(resource.prefix)) return undefined;
  const id = (await findMergesByEmails(db, resource.prefix, [value])).get(value.toLowerCase());
  return id === undefined ? undefined : lockRow(db, resource, id, rowLock);
}

/** Whether the conflicting row is a different one. */
async function isAnother<Row extends BaseRow>(
  db: Db,
  { resource, column, value }: Wanted<Row>,
  duplicate: Duplicate,
): Promise<boolean> {
  if (duplicate.column === column) return false;
  const row = await findRow(db, resource, duplicate.rowId);
  if (row === undefined) return false;
  return keyOf(resource, column, String(row[column])) !== keyOf(resource, column, value);
}
