import type { Input, OperationContext, Result } from '../http/operation.ts';
import { updateNote } from '../notes/update-note.ts';
import { contacts } from './queries.ts';

export async function updateContactNote(
  input: Input<'updateContactNote'>,
  context: OperationContext,
): Promise<Result<'updateContactNote'>> {
  return updateNote(contacts, input, context);
}
