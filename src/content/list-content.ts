import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/resource.ts';
import { toContent } from './content.ts';
import { contentFilters, listedContents } from './queries.ts';

export async function listContent(
  { query }: Input<'listContent'>,
  context: OperationContext,
): Promise<Result<'listContent'>> {
  return list(listedContents, contentFilters, toContent, query, context);
}
