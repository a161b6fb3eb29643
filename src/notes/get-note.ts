import { expander } from '../http/expand/expand.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toNote } from './note.ts';
import { findAllowed } from './scopes.ts';

export async function getNote(
  { path, query }: Input<'getNote'>,
  context: OperationContext,
): Promise<Result<'getNote'>> {
  const expand = expander(context, query);
  const row = await findAllowed(context, path.id, 'read');
  const note = toNote(row);
  await expand(context.db, [row], [note]);
  return ok(note);
}
