import type { Db } from '../db/db.ts';
import type { RowLock } from '../db/resource.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { webhooks } from './queries.ts';
import type { WebhookRow, WebhookStatus } from './tables.ts';

/**
 * Locks a webhook before something is sent to it, so that it can't change until the transaction ends. Throws 404, or 422
 * unless its status is one of `statuses`.
 */
export async function lockSending(
  db: Db,
  path: { id: string },
  statuses: readonly WebhookStatus[] = ['enabled'],
  rowLock: RowLock = 'share',
): Promise<WebhookRow> {
  const webhook = await lockOrThrow(db, webhooks, { path, headers: {} }, rowLock);
  if (!statuses.includes(webhook.status)) {
    throw invalidField('status', `is ${webhook.status}; enable the webhook first`, 'webhook_not_enabled');
  }
  return webhook;
}
