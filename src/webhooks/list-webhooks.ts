import { conditionsOf } from '../db/list/filters.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/pagination.ts';
import { webhookFilters, webhooks } from './queries.ts';
import { toWebhook } from './webhook.ts';

export async function listWebhooks(
  { query }: Input<'listWebhooks'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'listWebhooks'>> {
  return list(db, webhooks, {
    url: `${baseUrl}/webhooks`,
    query,
    conditions: conditionsOf(webhookFilters, query),
    toData: toWebhook,
  });
}
