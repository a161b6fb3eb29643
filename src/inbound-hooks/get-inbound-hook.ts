import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { find } from '../resource/rows.ts';
import { toInboundHook } from './inbound-hook.ts';
import { hooks } from './queries.ts';

export async function getInboundHook(
  { path }: Input<'getInboundHook'>,
  { db }: OperationContext,
): Promise<Result<'getInboundHook'>> {
  return ok(toInboundHook(await find(db, hooks, path.id)));
}
