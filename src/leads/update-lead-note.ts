import { updateNote } from '../notes/update-note.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { leads } from './queries.ts';

export async function updateLeadNote(
  input: Input<'updateLeadNote'>,
  context: OperationContext,
): Promise<Result<'updateLeadNote'>> {
  return updateNote(leads, input, context);
}
