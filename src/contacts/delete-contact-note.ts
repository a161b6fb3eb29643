import { deleteNote } from '../notes/delete-note.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { contacts } from './queries.ts';

export async function deleteContactNote(
  input: Input<'deleteContactNote'>,
  context: OperationContext,
): Promise<Result<'deleteContactNote'>> {
  return deleteNote(contacts, input, context);
}
