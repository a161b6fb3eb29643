import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
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
