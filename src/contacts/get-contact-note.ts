import { ok } from '../http/responses.ts';
import { toNote } from '../notes/note.ts';
import { findNote } from '../notes/owner.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { contacts } from './queries.ts';

export async function getContactNote(
  { path }: Input<'getContactNote'>,
  { db }: OperationContext,
): Promise<Result<'getContactNote'>> {
  return ok(toNote(await findNote(db, contacts, path)));
}
