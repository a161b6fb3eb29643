import { operations } from '../../generated/operations.ts';
import type { Db } from '../db/db.ts';
import { lockRow } from '../db/resource.ts';
import { DELIVERIES } from '../events/channels.ts';
import { checkGrant } from '../jobs/grant.ts';
import { requireEach } from '../scopes.ts';
import { webhooks } from './queries.ts';
import { countDue, insertReplayDeliveries } from './replay-events-queries.ts';
import { advanceReplay, endReplay, findUnfinished, lockReplay } from './replay-queries.ts';
import type { WebhookReplayRow } from './tables.ts';

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
  for (const replay of await findUnfinished(db)) {
    const hasMore = await db.transaction((trx) => continueReplay(trx, replay));
    isBusy ||= hasMore;
  }
  return isBusy;
}

async function continueReplay(trx: Db, replay: WebhookReplayRow): Promise<boolean> {
  const grant = await checkGrant(trx, replay, (principal) =>
    requireEach(principal, operations.replayWebhook.scopes),
  );
  if (!('failure' in grant)) return replayBatch(trx, replay.id);
  // In the order in which a new replay locks them.
  await lockRow(trx, webhooks, replay.webhook_id, 'no key update');
  await endReplay(trx, replay.id, grant.failure);
  return false;
}

async function replayBatch(trx: Db, id: string): Promise<boolean> {
  const replay = await lockReplay(trx, id);
  if (replay === undefined) return false;
  // A replay waits while its webhook is paused or disabled, as its deliveries do.
  if (replay.webhook_status !== 'enabled' || !replay.is_complete) return false;
  if ((await countDue(trx, replay.webhook_id, MAX_DUE)) === MAX_DUE) return false;
  const result = await insertReplayDeliveries(trx, replay, BATCH);
  trx.notify(DELIVERIES);
  await advanceReplay(trx, id, result);
  return result.last !== null;
}
