import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent, remove } from '../http/resource.ts';
import { webhooks } from './queries.ts';

export async function deleteWebhook(
  input: Input<'deleteWebhook'>,
  context: OperationContext,
): Promise<Result<'deleteWebhook'>> {
  await remove(webhooks, input, context);
  return noContent;
}
