import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { find } from '../resource/rows.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';

export async function getContact(
  { path }: Input<'getContact'>,
  { db }: OperationContext,
): Promise<Result<'getContact'>> {
  return ok(toContact(await find(db, contacts, path.id)));
}
