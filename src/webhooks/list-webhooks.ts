import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { webhookFilters, webhooks } from './queries.ts';
import { toWebhook } from './webhook.ts';

export async function listWebhooks(
  { query }: Input<'listWebhooks'>,
  context: OperationContext,
): Promise<Result<'listWebhooks'>> {
  return list(context, webhooks, {
    query,
    conditions: conditionsOf(webhookFilters, query),
    toData: toWebhook,
  });
}
