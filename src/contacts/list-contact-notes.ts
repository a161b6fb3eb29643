import { listNotes } from '../notes/list-notes.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { contacts } from './queries.ts';

export async function listContactNotes(
  input: Input<'listContactNotes'>,
  context: OperationContext,
): Promise<Result<'listContactNotes'>> {
  return listNotes(contacts, input, context);
}
