import { randomUUID } from 'node:crypto';
import { system } from '../actor.ts';
import type { Db } from '../db/db.ts';
import { recordEvents } from '../events/record-events.ts';
import { toId } from '../values/id.ts';
import type { WebhookStatus } from '../webhooks/tables.ts';
import { isGone } from './attempt.ts';
import { type AttemptOutcome, disable, hasFailedForLong } from './outcome-queries.ts';
import type { PendingDelivery } from './queries.ts';

export interface AttemptResult {
  delivery: PendingDelivery;
  outcome: AttemptOutcome;
}

/** Disables the webhooks that answered 410 Gone, in the transaction that records the attempts. */
export async function disableGone(trx: Db, results: readonly AttemptResult[]): Promise<void> {
  const gone = results.filter(({ outcome }) => isGone(outcome.status_code));
  for (const id of new Set(gone.map(({ delivery }) => delivery.webhook_id))) {
    await disableAndNotify(trx, id, 'The endpoint answered 410 Gone.');
  }
}

/**
 * Disables the webhooks that have failed for 72 hours. Uses a transaction per webhook, so that an error with one affects
 * neither the recorded attempts nor the others; the next failure tries again.
 */
export async function disableFailing(
  results: readonly AttemptResult[],
  { db, now }: { db: Db; now?: (() => Date) | undefined },
  onError: (error: unknown) => void,
): Promise<void> {
  const reasons = new Map(
    results
      .filter(({ outcome }) => outcome.status !== 'succeeded')
      .map(({ delivery, outcome: { error, status_code } }) => [
        delivery.webhook_id,
        `No success for 72 hours; the last attempt: ${error ?? `status ${status_code}.`}`,
      ]),
  );
  for (const [id, reason] of reasons) {
    try {
      if (!(await hasFailedForLong(db, id, now?.()))) continue;
      await db.transaction((trx) => disableAndNotify(trx, id, reason));
    } catch (error) {
      onError(error);
    }
  }
}

/** Notifies the other webhooks. The disabled one's events stay in the log and can be replayed from there. */
export async function disableAndNotify(
  trx: Db,
  id: string,
  reason: string,
  statuses: readonly WebhookStatus[] = ['enabled'],
): Promise<void> {
  const webhook = await disable(trx, id, reason, statuses);
  if (webhook === undefined) return;
  const object = {
    id: toId('webhook', id),
    description: webhook.description,
    disabled_reason: reason,
    failing_since: webhook.failing_since,
    last_success_at: webhook.last_success_at,
  };
  const recorder = {
    db: trx,
    actor: system,
    requestId: randomUUID(),
  };
  await recordEvents(recorder, [{ type: 'webhook.disabled', object }]);
}
