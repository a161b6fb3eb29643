import type { Db } from '../db/db.ts';
import type { Input, OperationContext } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { requireScopes, wasTried } from './import.ts';
import { imports, lockChunk } from './queries.ts';
import type { ImportRow } from './tables.ts';

/**
 * Locks an import that can still be started: a draft, a queued import or a completed dry run. Throws 403, 404, 412, or 409 if
 * the status is another one or the rows are gone. `verb` says what the client wants to do.
 */
export async function lockStartable(
  { db, principal }: Pick<OperationContext, 'db' | 'principal'>,
  input: Pick<Input<'startImport'>, 'path' | 'headers'>,
  verb: 'changed' | 'started',
): Promise<ImportRow> {
  const row = await lockOrThrow(db, imports, input);
  requireScopes(principal, row.options.resource, 'write');
  await checkStatus(db, row, verb);
  return row;
}

async function checkStatus(db: Db, row: ImportRow, verb: string): Promise<void> {
  const { id, status } = row;
  if (status !== 'draft' && status !== 'queued' && !wasTried(row)) {
    throw wrongStatus(
      `This import can't be ${verb}: only drafts, queued imports and completed dry runs can.`,
    );
  }
  if ((await lockChunk(db, id, 0)) === undefined) {
    throw wrongStatus(
      'The rows of this import have been deleted (they are kept for 7 days). Upload the file again.',
    );
  }
}

function wrongStatus(message: string) {
  return invalidField('id', message, 'wrong_import_status');
}
