import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toNote } from './note.ts';
import { findAllowed } from './scopes.ts';

export async function getNote(
  { path }: Input<'getNote'>,
  context: OperationContext,
): Promise<Result<'getNote'>> {
  return ok(toNote(await findAllowed(context, path.id, 'read')));
}
