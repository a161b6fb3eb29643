import { noStore, ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { webhooks } from './queries.ts';
import { toWebhook } from './webhook.ts';

export async function getWebhook(
  { path }: Input<'getWebhook'>,
  { db }: OperationContext,
): Promise<Result<'getWebhook'>> {
  // The health of its deliveries changes without a new version, so a cached copy would be outdated.
  return noStore(ok(toWebhook(await findOrThrow(db, webhooks, path.id))));
}
