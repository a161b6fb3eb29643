import { conditionsOf } from '../db/list/filters.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/pagination.ts';
import { toContent } from './content.ts';
import { contentFilters, listedContents } from './queries.ts';

export async function listContent(
  { query }: Input<'listContent'>,
  context: OperationContext,
): Promise<Result<'listContent'>> {
  return list(context, listedContents, {
    query,
    conditions: conditionsOf(contentFilters, query),
    toData: toContent,
  });
}
