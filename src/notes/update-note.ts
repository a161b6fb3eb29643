import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { changeNote } from './change-note.ts';
import { occurredColumn } from './kind.ts';
import { lockNote } from './lock-note.ts';
import { toNote } from './note.ts';

export async function updateNote(
  input: Input<'updateNote'>,
  context: OperationContext,
): Promise<Result<'updateNote'>> {
  const changes = { ...input.body, ...occurredColumn(input.body) };
  const before = await lockNote(context, input, 'no key update');
  return ok(toNote(await changeNote(before, changes, context)));
}
