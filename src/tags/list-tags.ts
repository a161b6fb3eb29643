import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { requireEach } from '../scopes.ts';
import { type TagCountRow, tagCounts, tagFilters } from './queries.ts';

export async function listTags(
  { query }: Input<'listTags'>,
  context: OperationContext,
): Promise<Result<'listTags'>> {
  requireEach(context.principal, [`${query.resource}:read`]);
  return list(context, tagCounts, {
    query,
    conditions: conditionsOf(tagFilters, query),
    toData: ({ tag, count }: TagCountRow) => ({ tag, count: Number(count) }),
  });
}
