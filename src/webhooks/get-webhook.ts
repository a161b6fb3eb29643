import type { Input, OperationContext, Result } from '../http/operation.ts';
import { ok } from '../http/responses.ts';
import { find } from '../resource/rows.ts';
import { webhooks } from './queries.ts';
import { toWebhook, withHealthEtag } from './webhook.ts';

export async function getWebhook(
  { path }: Input<'getWebhook'>,
  { db }: OperationContext,
): Promise<Result<'getWebhook'>> {
  return withHealthEtag(ok(toWebhook(await find(db, webhooks, path.id))));
}
