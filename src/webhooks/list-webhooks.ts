import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/resource.ts';
import { webhookFilters, webhooks } from './queries.ts';
import { toWebhook } from './webhook.ts';

export async function listWebhooks(
  { query }: Input<'listWebhooks'>,
  context: OperationContext,
): Promise<Result<'listWebhooks'>> {
  return list(webhooks, webhookFilters, toWebhook, query, context);
}
