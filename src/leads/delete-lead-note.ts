import { deleteNote } from '../notes/delete-note.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { leads } from './queries.ts';

export async function deleteLeadNote(
  input: Input<'deleteLeadNote'>,
  context: OperationContext,
): Promise<Result<'deleteLeadNote'>> {
  return deleteNote(leads, input, context);
}
