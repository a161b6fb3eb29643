import { logAct } from '../audit-log/log-act.ts';
import { noContent } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { deleteOrThrow } from '../resource/rows.ts';
import { webhooks } from './queries.ts';

export async function deleteWebhook(
  input: Input<'deleteWebhook'>,
  context: OperationContext,
): Promise<Result<'deleteWebhook'>> {
  await deleteOrThrow(context.db, webhooks, input);
  logAct(context, 'webhook.deleted', { webhook_id: input.path.id });
  return noContent;
}
