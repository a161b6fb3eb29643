import type { Db } from '../db/db.ts';
import { disableAndNotify } from './disable-failing.ts';
import { deleteSurplus, findOverfull, type WaitingLimits } from './storage-queries.ts';

const MAX_WAITING: WaitingLimits = { dead: 100_000, any: 1_000_000 };
/** Finished deliveries to keep per webhook. A failed one has up to ten attempts, each with 2 KiB of a response. */
const MAX_FINISHED = { succeeded: 100_000, failed: 10_000 };

/**
 * Disables webhooks with too many waiting deliveries. Nothing is lost: these keep waiting, and later events can be replayed.
 */
export async function disableOverfull(db: Db, limits = MAX_WAITING): Promise<void> {
  for (const { id, is_dead: isDead } of await findOverfull(db, limits)) {
    const reason = isDead
      ? `More than ${count(limits.dead)} events are waiting, and none has been delivered for an hour.`
      : `More than ${count(limits.any)} events are waiting.`;
    await db.transaction((trx) => disableAndNotify(trx, id, reason, ['enabled', 'paused']));
  }
}

const count = (number: number) => number.toLocaleString('en-US');

/** Deletes a batch of finished deliveries, the oldest first, of webhooks that have too many. Returns how many. */
export async function deleteSurplusDeliveries(db: Db, limit: number, kept = MAX_FINISHED): Promise<number> {
  const failed = await deleteSurplus(db, 'failed', kept.failed, limit);
  const succeeded = await deleteSurplus(db, 'succeeded', kept.succeeded, limit);
  return Math.max(failed, succeeded);
}
