import { ok } from '../http/responses.ts';
import { toNote } from '../notes/note.ts';
import { findNote } from '../notes/owner.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { leads } from './queries.ts';

export async function getLeadNote(
  { path }: Input<'getLeadNote'>,
  { db }: OperationContext,
): Promise<Result<'getLeadNote'>> {
  return ok(toNote(await findNote(db, leads, path)));
}
