import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { type ImportedRow, importedRowColumns } from './tables.ts';

/** What became of the rows. */
export const importedRows = {
  table: 'imported_rows',
  columns: importedRowColumns,
  sortable: { row: 'bigint' },
  isNarrow: true,
} as const;

/** Deletes the results of an import that starts again. */
export async function deleteResults(db: Db, id: string): Promise<void> {
  await db.run(knex('job_errors').where({ job_id: id }).delete());
  await db.run(knex('import_rows').where({ id }).delete());
}

const insertedRows = prepare<
  { id: string; rows: number[]; outcomes: string[]; ids: (string | null)[] },
  never
>('insert_import_rows', ($) =>
  knex.raw(
    `insert into import_rows (id, "row", outcome, resource_id)
      select ?::uuid, * from unnest(?::integer[], ?::text[], ?::uuid[]) on conflict do nothing`,
    [$('id'), $('rows'), $('outcomes'), $('ids')],
  ),
);

const earlierRows = prepare<{ id: string; ids: string[] }, { resource_id: string; row: number }>(
  'find_earlier_import_rows',
  ($) =>
    knex('import_rows')
      .where({ id: $('id') })
      .whereRaw('resource_id = any(?::uuid[])', [$('ids')])
      .groupBy('resource_id')
      .select('resource_id')
      .min({ row: 'row' }),
);

/** The first stored row about each resource (UUID). */
export async function findEarlierRows(
  db: Db,
  id: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.run(earlierRows({ id, ids: [...ids] }));
  return new Map(rows.map(({ resource_id, row }) => [resource_id, row]));
}

/** Stores what became of an import's rows. */
export async function insertRows(
  db: Db,
  id: string,
  rows: readonly Omit<ImportedRow, 'id'>[],
): Promise<void> {
  const columns = {
    rows: rows.map(({ row }) => row),
    outcomes: rows.map(({ outcome }) => outcome),
    ids: rows.map(({ resource_id }) => resource_id),
  };
  await db.run(insertedRows({ id, ...columns }));
}
