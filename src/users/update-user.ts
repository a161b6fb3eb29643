import type { Input, OperationContext, Result } from '../http/operation.ts';
import { changed } from '../http/resource.ts';
import { changeUser } from './change-user.ts';
import { users } from './queries.ts';
import { toUser } from './user.ts';

export async function updateUser(
  input: Input<'updateUser'>,
  context: OperationContext,
): Promise<Result<'updateUser'>> {
  return changed(users, toUser, changeUser, input, context);
}
