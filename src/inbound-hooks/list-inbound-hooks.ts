import { conditionsOf } from '../db/filters.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { listAt } from '../http/resource.ts';
import { toInboundHook } from './inbound-hook.ts';
import { hookFilters, hooks } from './queries.ts';

export async function listInboundHooks(
  { query }: Input<'listInboundHooks'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'listInboundHooks'>> {
  const conditions = conditionsOf(hookFilters, query);
  return listAt(`${baseUrl}/inbound-hooks`, hooks, conditions, toInboundHook, query, db);
}
