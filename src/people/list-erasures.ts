import { conditionsOf } from '../db/list/filters.ts';
import { nameActors } from '../events/name-actors.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toErasure } from './erasure.ts';
import { erasureFilters, erasures } from './queries.ts';

export async function listErasures(
  { query }: Input<'listErasures'>,
  context: OperationContext,
): Promise<Result<'listErasures'>> {
  const { body, ...answer } = await list(context, erasures, {
    query,
    conditions: conditionsOf(erasureFilters, query),
    toData: toErasure,
  });
  return { ...answer, body: { ...body, data: await nameActors(context.db, body.data) } };
}
