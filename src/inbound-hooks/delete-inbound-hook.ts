import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent, remove } from '../http/resource.ts';
import { hooks } from './queries.ts';

/** Keeps the leads that the hook created. */
export async function deleteInboundHook(
  input: Input<'deleteInboundHook'>,
  context: OperationContext,
): Promise<Result<'deleteInboundHook'>> {
  await remove(hooks, input, context);
  return noContent;
}
