import { listNotes } from '../notes/list-notes.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { leads } from './queries.ts';

export async function listLeadNotes(
  input: Input<'listLeadNotes'>,
  context: OperationContext,
): Promise<Result<'listLeadNotes'>> {
  return listNotes(leads, input, context);
}
