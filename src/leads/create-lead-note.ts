import { createNote } from '../notes/create-note.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { leads } from './queries.ts';

export async function createLeadNote(
  input: Input<'createLeadNote'>,
  context: OperationContext,
): Promise<Result<'createLeadNote'>> {
  return createNote(leads, input, context);
}
