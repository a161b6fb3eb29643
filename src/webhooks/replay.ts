import type { Db } from '../db/db.ts';
import { DELIVERIES } from '../events/channels.ts';
import {
  advanceReplay,
  countDue,
  deleteReplay,
  findReplays,
  insertReplayDeliveries,
  lockReplay,
} from './replay-queries.ts';

/** Events read per transaction. */
const BATCH = 1_000;
/** Maximum due deliveries per webhook; a replay pauses once they are reached. */
const MAX_DUE = 2_000;

/** The table of replays is the queue: each process locks the row that it works on. */
export const replayTask = {
  failure: 'A replay failed; it will be retried.',
  interval: 1_000,
  run: continueReplays,
};

/**
 * Runs one batch of each replay. Returns whether any of them can continue immediately. The size of a replay affects
 * neither the delivery queue nor a transaction. The transaction that inserts the deliveries also saves the progress, so
 * that another worker can resume when this one is killed.
 */
export async function continueReplays({ db }: { db: Db }): Promise<boolean> {
  let isBusy = false;
  for (const webhookId of await findReplays(db)) {
    const hasMore = await db.transaction((trx) => replayBatch(trx, webhookId));
    isBusy ||= hasMore;
  }
  return isBusy;
}

async function replayBatch(trx: Db, webhookId: string): Promise<boolean> {
  const replay = await lockReplay(trx, webhookId);
  if (replay === undefined) return false;
  // A replay waits while its webhook is paused or disabled, as its deliveries do.
  if (replay.webhook_status !== 'enabled' || !replay.is_complete) return false;
  if ((await countDue(trx, webhookId, MAX_DUE)) === MAX_DUE) return false;
  const last = await insertReplayDeliveries(trx, replay, BATCH);
  trx.notify(DELIVERIES);
  if (last === null) await deleteReplay(trx, webhookId);
  else await advanceReplay(trx, webhookId, last);
  return last !== null;
}
