import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { storableJson } from '../values/text.ts';
import { type ImportErrorRow, type ImportedRow, importErrorColumns, importedRowColumns } from './tables.ts';

export const importErrors = {
  table: 'import_errors',
  columns: importErrorColumns,
  sortable: { row: 'bigint' },
} as const;

/** What became of the rows. */
export const importedRows = {
  table: 'imported_rows',
  columns: importedRowColumns,
  sortable: { row: 'bigint' },
  isNarrow: true,
} as const;

/** Deletes the results of an import that starts again. */
export async function deleteResults(db: Db, id: string): Promise<void> {
  await db.run(knex('import_errors').where({ import_id: id }).delete());
  await db.run(knex('import_rows').where({ id }).delete());
}

const insertedErrors = prepare<{ id: string; errors: string }, never>('insert_import_errors', ($) =>
  knex.raw(
    `insert into import_errors (import_id, id, "row", severity, "column", field, code, message)
      select ?::uuid, * from json_to_recordset(?::json)
        as error(id uuid, "row" integer, severity text, "column" text, field text, code text, message text)`,
    [$('id'), $('errors')],
  ),
);

export async function insertErrors(db: Db, id: string, errors: readonly ImportErrorRow[]): Promise<void> {
  if (errors.length > 0) await db.run(insertedErrors({ id, errors: storableJson(errors) }));
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
