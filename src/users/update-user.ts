import { recordUpdated } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { users } from './queries.ts';
import { toUser } from './user.ts';

/** A deactivated user keeps existing assignments but gets no new ones. */
export async function updateUser(
  input: Input<'updateUser'>,
  context: OperationContext,
): Promise<Result<'updateUser'>> {
  const before = await lockOrThrow(context.db, users, input);
  const user = toUser(await updateOrThrow(context, users, before, input.body));
  await recordUpdated(context, 'user', toUser(before), user);
  return ok(user);
}
