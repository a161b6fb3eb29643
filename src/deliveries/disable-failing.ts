import { randomUUID } from 'node:crypto';
import { toId } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import { recordEvents } from '../events/record-events.ts';
import type { EnqueueDeliveries } from '../http/operation.ts';
import { isGone } from './attempt.ts';
import { disable, hasFailedForLong, type Outcome, type PendingDelivery } from './queries.ts';

const LONG = 72 * 60 * 60_000;

export interface Result {
  delivery: PendingDelivery;
  outcome: Outcome;
}

/**
 * Disables the webhooks that asked for it by a 410, and those that have failed for days, and tells the others. Their
 * events stay in the log, from where they can be replayed.
 */
export async function disableFailing(
  db: Db,
  results: readonly Result[],
  enqueueDeliveries: EnqueueDeliveries,
): Promise<void> {
  const reasons = new Map<string, string>();
  for (const { delivery, outcome } of results) {
    const reason = reasonToDisable(delivery, outcome);
    if (reason !== undefined) reasons.set(delivery.webhook_id, reason);
  }
  for (const [id, reason] of reasons) {
    const isDue = reason === gone || (await hasFailedForLong(db, id));
    const webhook = isDue ? await disable(db, id, reason) : undefined;
    if (webhook === undefined) continue;
    await recordEvents(
      { db, actor: { type: 'system', id: null }, requestId: randomUUID(), enqueueDeliveries },
      [
        {
          type: 'webhook.disabled',
          resourceId: id,
          object: {
            id: toId('webhook', id),
            description: webhook.description,
            disabled_reason: webhook.disabled_reason,
            failing_since: webhook.failing_since?.toISOString() ?? null,
            last_success_at: webhook.last_success_at?.toISOString() ?? null,
          },
        },
      ],
    );
  }
}

const gone = 'The endpoint answered 410 Gone.';

function reasonToDisable(
  { failing_since }: PendingDelivery,
  { status, status_code, error }: Outcome,
): string | undefined {
  if (isGone(status_code)) return gone;
  const isFailing = status !== 'succeeded' && failing_since !== null;
  if (!isFailing || Date.now() - failing_since.getTime() < LONG) return undefined;
  return `No success for 72 hours; the last attempt: ${error ?? `status ${status_code}.`}`;
}
