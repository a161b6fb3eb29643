import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { userFilters, users } from './queries.ts';
import { toUser } from './user.ts';

export async function listUsers(
  { query }: Input<'listUsers'>,
  context: OperationContext,
): Promise<Result<'listUsers'>> {
  return list(context, users, { query, conditions: conditionsOf(userFilters, query), toData: toUser });
}
