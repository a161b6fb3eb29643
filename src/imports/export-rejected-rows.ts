import type { Db } from '../db/db.ts';
import type { Input, OperationContext, Result, RowStream } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { rearm } from '../table-files/disarmed.ts';
import { parseRows, type StoredRow } from '../table-files/stored-row.ts';
import { requireScopes } from './import.ts';
import { imports } from './queries.ts';
import { chunkWithNumber, failedRowsAmong, messagesAmong } from './rejected-queries.ts';
import type { ImportRow } from './tables.ts';

/** The column with what is wrong. An earlier one, of a file that was corrected and sent again, is replaced. */
const ERROR = 'error';
const MAX_ERROR = 10_000;
/** More cells than the file has columns, which are shown in columns of their own. */
const MAX_EXTRA = 100;

type RejectedRow = Record<string, unknown> & { error: string };

export async function exportRejectedRows(
  { path }: Pick<Input<'exportRejectedRows'>, 'path'>,
  { db, principal }: Pick<OperationContext, 'db' | 'principal'>,
): Promise<Result<'exportRejectedRows'>> {
  const run = await findOrThrow(db, imports, path.id);
  requireScopes(principal, run.options.resource, 'read');
  const names = namesOf(run);
  const body: RowStream<RejectedRow> = async function* (signal) {
    for (let number = 0; number < run.next_chunk && !signal.aborted; ) {
      const chunk = await chunkWithNumber(db, run.id, number, run.next_chunk);
      if (chunk === undefined) return;
      const rows = await rejectedAmong(db, run, names, parseRows(chunk.rows));
      if (rows.length > 0) yield rows;
      number = chunk.number + 1;
    }
  };
  const columns = [...names.filter((name) => name !== ERROR), ERROR];
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body, columns };
}

/** The names of the columns, and of cells that were too many. */
function namesOf({ options: { columns }, state: { rejected_width } }: ImportRow): string[] {
  const extra = Math.min(MAX_EXTRA, Math.max(0, rejected_width - columns.length));
  const names = Array.from({ length: extra }, (_, index) => `Column ${columns.length + index + 1}`);
  return [...columns, ...names.filter((name) => !columns.includes(name))];
}

/** A dry run keeps all of its rows. */
async function rejectedAmong(
  db: Db,
  { id, dry_run, options: { format } }: ImportRow,
  names: readonly string[],
  stored: readonly StoredRow[],
): Promise<RejectedRow[]> {
  const numbers = stored.map(({ row }) => row);
  const failed = dry_run ? new Set(await failedRowsAmong(db, id, numbers)) : undefined;
  const rows = stored.filter(({ row, isErased }) => !isErased && failed?.has(row) !== false);
  if (rows.length === 0) return [];
  const messages = Map.groupBy(await messagesAmong(db, id, numbers), ({ row }) => row);
  // CSV puts an apostrophe before it again.
  const cellOf = (cell: unknown) =>
    format === 'csv' && typeof cell === 'string' ? rearm(cell) : (cell ?? null);
  return rows.map(({ row, cells }) => {
    const error = (messages.get(row) ?? []).map(describe).join(' ') || 'This row has failed.';
    const values = names.map((name, index) => [name, cellOf(cells[index])]);
    return { ...Object.fromEntries(values), error: error.slice(0, MAX_ERROR) };
  });
}

function describe({
  column,
  field,
  message,
}: {
  column: string | null;
  field: string | null;
  message: string;
}) {
  if (column === null) return message;
  const isSubject = field !== null && message.startsWith(`${field} `);
  return isSubject ? column + message.slice(field.length) : `${column}: ${message}`;
}
