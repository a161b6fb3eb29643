import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { hasScope, insufficientScope } from '../scopes.ts';
import { type TagCountRow, tagCounts, tagFilters } from './queries.ts';

export async function listTags(
  { query }: Input<'listTags'>,
  context: OperationContext,
): Promise<Result<'listTags'>> {
  // The contract can't express a scope that depends on a parameter.
  const scope = `${query.resource}:read`;
  if (!hasScope(context.principal, scope)) {
    throw insufficientScope(context.principal, `This needs the scope ${scope}`, scope);
  }
  return list(context, tagCounts, {
    query,
    conditions: conditionsOf(tagFilters, query),
    toData: ({ tag, count }: TagCountRow) => ({ tag, count: Number(count) }),
  });
}
