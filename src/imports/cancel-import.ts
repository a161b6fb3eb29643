import { updateRow } from '../db/resource.ts';
import { NOW } from '../db/row-statements.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, toImport } from './import.ts';
import { deleteChunks, imports } from './queries.ts';

/** Also cancels completed dry runs, which still have their rows. Waits for a running chunk, which locks the import. */
export async function cancelImport(
  input: Pick<Input<'cancelImport'>, 'path' | 'headers'>,
  { db, principal }: OperationContext,
): Promise<Result<'cancelImport'>> {
  requireAnyScope(principal, 'write');
  const before = await lockOrThrow(db, imports, input);
  requireScopes(principal, before.resource, 'write');
  if (before.status === 'cancelled') return ok(toImport(before));
  const isDone = before.status === 'completed' && !before.dry_run;
  if (isDone || before.status === 'failed') {
    throw invalidField(
      'id',
      `This import can't be cancelled: it has already ${before.status}.`,
      'wrong_import_status',
    );
  }
  // Rejected rows can still be corrected.
  await deleteChunks(db, before.id, before.dry_run ? 0 : before.next_chunk);
  return ok(toImport(await updateRow(db, imports, before.id, { status: 'cancelled', finished_at: NOW })));
}
