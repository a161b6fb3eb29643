import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent, remove } from '../http/resource.ts';
import { hooks } from './queries.ts';

/** Leads that came by it stay. */
export async function deleteInboundHook(
  input: Input<'deleteInboundHook'>,
  context: OperationContext,
): Promise<Result<'deleteInboundHook'>> {
  await remove(hooks, input, context);
  return noContent;
}
