import type { Db } from '../db/db.ts';
import type { Wanted } from '../db/many-rows.ts';
import type { BaseRow } from '../db/tables.ts';
import { isMergedKind } from '../merges/merged.ts';
import { findMerges, findMergesByExternalIds } from '../merges/queries.ts';
import type { IdPrefix } from '../values/id.ts';
import type { KnownRows } from './known-rows.ts';

/** Looks up which of the wanted rows that were not found have been merged into another one. */
export async function addMerges<Row extends BaseRow>(
  db: Db,
  kind: IdPrefix,
  wanted: Wanted,
  rows: KnownRows<Row>,
): Promise<void> {
  if (!isMergedKind(kind)) return;
  const missing = (column: string) =>
    (wanted[column] ?? []).filter((value) => rows.find(column, value) === undefined);
  for (const merge of await findMerges(db, missing('id'))) rows.addMerge('id', merge.id, merge);
  for (const merge of await findMergesByExternalIds(db, kind, missing('external_id'))) {
    rows.addMerge('external_id', merge.external_id, merge);
  }
}
