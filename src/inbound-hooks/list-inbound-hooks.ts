import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toInboundHook } from './inbound-hook.ts';
import { hookFilters, hooks } from './queries.ts';

export async function listInboundHooks(
  { query }: Input<'listInboundHooks'>,
  context: OperationContext,
): Promise<Result<'listInboundHooks'>> {
  return list(context, hooks, { query, conditions: conditionsOf(hookFilters, query), toData: toInboundHook });
}
