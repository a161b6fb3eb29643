import type { Input, OperationContext, Result } from '../http/operation.ts';
import { changed } from '../http/resource.ts';
import { toInboundHook } from './inbound-hook.ts';
import { patchHook } from './patch-hook.ts';
import { hooks } from './queries.ts';

export async function updateInboundHook(
  input: Input<'updateInboundHook'>,
  context: OperationContext,
): Promise<Result<'updateInboundHook'>> {
  return changed(hooks, toInboundHook, patchHook, input, context);
}
