import type { Db } from '../db/db.ts';
import type { Wanted } from '../db/many-rows.ts';
import type { RowLock } from '../db/resource.ts';
import type { BaseRow } from '../db/tables.ts';
import { isMergedKind } from '../merges/merged.ts';
import { findMerges, findMergesByEmails, findMergesByExternalIds } from '../merges/queries.ts';
import type { IdPrefix } from '../values/id.ts';
import { type KnownRows, keyOf } from './known-rows.ts';
import type { Rules, Types } from './rules.ts';

/** Looks up which of the wanted rows that were not found have been merged into another one, by their ids. */
export async function addMerges<Row extends BaseRow>(
  db: Db,
  kind: IdPrefix,
  wanted: Wanted,
  rows: KnownRows<Row>,
): Promise<void> {
  if (!isMergedKind(kind)) return;
  for (const merge of await findMerges(db, missing('id', wanted, rows))) rows.addMerge('id', merge.id, merge);
  const externalIds = missing('external_id', wanted, rows);
  for (const merge of await findMergesByExternalIds(db, kind, externalIds)) {
    rows.addMerge('external_id', merge.external_id, merge);
  }
}

/**
 * The same by their addresses, and adds the rows into which they were merged. Returns the keys of each, which are of the same
 * row.
 */
export async function addSurvivors<T extends Types>(
  db: Db,
  { kind, resource, findRows }: Rules<T>,
  wanted: Wanted,
  rows: KnownRows<T['row']>,
  lock: RowLock,
): Promise<string[][]> {
  if (!isMergedKind(kind)) return [];
  const found = [...(await findMergesByEmails(db, kind, missing('email', wanted, rows)))];
  const unknown = found.map(([, id]) => id).filter((id) => rows.find('id', id) === undefined);
  if (unknown.length > 0) for (const row of await findRows(db, { id: unknown }, lock)) rows.add(row);
  for (const [email, id] of found) rows.addSurvivor(email, id);
  return found.map(([email, id]) => [keyOf(resource, 'email', email), keyOf(resource, 'id', id)]);
}

function missing<Row extends BaseRow>(column: string, wanted: Wanted, rows: KnownRows<Row>): string[] {
  return (wanted[column] ?? []).filter((value) => rows.find(column, value) === undefined);
}
