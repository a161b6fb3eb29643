import { updateNote } from '../notes/update-note.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { contacts } from './queries.ts';

export async function updateContactNote(
  input: Input<'updateContactNote'>,
  context: OperationContext,
): Promise<Result<'updateContactNote'>> {
  return updateNote(contacts, input, context);
}
