import type { Input, OperationContext, Result } from '../http/operation.ts';
import { ok } from '../http/responses.ts';
import { toNote } from '../notes/note.ts';
import { findNote } from '../notes/owner.ts';
import { leads } from './queries.ts';

export async function getLeadNote(
  { path }: Input<'getLeadNote'>,
  { db }: OperationContext,
): Promise<Result<'getLeadNote'>> {
  return ok(toNote(await findNote(db, leads, path)));
}
