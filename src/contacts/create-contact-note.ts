import type { Input, OperationContext, Result } from '../http/operation.ts';
import { createNote } from '../notes/create-note.ts';
import { contacts } from './queries.ts';

export async function createContactNote(
  input: Input<'createContactNote'>,
  context: OperationContext,
): Promise<Result<'createContactNote'>> {
  return createNote(contacts, input, context);
}
