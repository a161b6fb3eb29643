import { logAct } from '../audit-log/log-act.ts';
import { noContent } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { deleteOrThrow } from '../resource/rows.ts';
import { hooks } from './queries.ts';

/** Keeps the leads that the hook created. */
export async function deleteInboundHook(
  input: Input<'deleteInboundHook'>,
  context: OperationContext,
): Promise<Result<'deleteInboundHook'>> {
  await deleteOrThrow(context.db, hooks, input);
  logAct(context, 'inbound_hook.deleted', { hook_id: input.path.id });
  return noContent;
}
