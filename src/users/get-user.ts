import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { find } from '../resource/rows.ts';
import { users } from './queries.ts';
import { toUser } from './user.ts';

export async function getUser(
  { path }: Input<'getUser'>,
  { db }: OperationContext,
): Promise<Result<'getUser'>> {
  return ok(toUser(await find(db, users, path.id)));
}
