import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent } from '../http/responses.ts';
import { remove } from '../resource/rows.ts';
import { hooks } from './queries.ts';

/** Keeps the leads that the hook created. */
export async function deleteInboundHook(
  input: Input<'deleteInboundHook'>,
  { db }: OperationContext,
): Promise<Result<'deleteInboundHook'>> {
  await remove(db, hooks, input);
  return noContent;
}
