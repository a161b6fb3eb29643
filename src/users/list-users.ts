import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/resource.ts';
import { userFilters, users } from './queries.ts';
import { toUser } from './user.ts';

export async function listUsers(
  { query }: Input<'listUsers'>,
  context: OperationContext,
): Promise<Result<'listUsers'>> {
  return list(users, userFilters, toUser, query, context);
}
