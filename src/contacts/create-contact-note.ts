import { createNote } from '../notes/create-note.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { contacts } from './queries.ts';

export async function createContactNote(
  input: Input<'createContactNote'>,
  context: OperationContext,
): Promise<Result<'createContactNote'>> {
  return createNote(contacts, input, context);
}
