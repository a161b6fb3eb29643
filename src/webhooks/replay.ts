import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../db/knex.ts';
import type { OperationContext } from '../http/operation.ts';
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
/** Idle poll interval. Milliseconds. */
const IDLE_POLL_INTERVAL = 1_000;

type Worker = Pick<OperationContext, 'db' | 'enqueueDeliveries'>;

/**
 * Runs the requested replays and returns the stop function. Any number of processes may run it: the table of replays is
 * their queue, and each process locks the row that it works on.
 */
export function startReplays(worker: Worker, logger: Logger): () => Promise<void> {
  const stopping = new AbortController();
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isBusy = await continueReplays(worker).catch((error: unknown) => {
        logger.warn({ err: error }, 'A replay failed; it will be retried.');
        return false;
      });
      if (!isBusy)
        await sleep(IDLE_POLL_INTERVAL, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const working = work();
  return () => {
    stopping.abort();
    return working;
  };
}

/**
 * Runs one batch of each replay. Returns whether any of them can continue immediately. The size of a replay affects
 * neither the delivery queue nor a transaction. The transaction that inserts the deliveries also saves the progress, so
 * that another worker can resume when this one is killed.
 */
export async function continueReplays({ db, enqueueDeliveries }: Worker): Promise<boolean> {
  let isBusy = false;
  for (const webhookId of await findReplays(db)) {
    const hasMore = await db.transaction((trx) => replayBatch({ db: trx, enqueueDeliveries }, webhookId));
    isBusy ||= hasMore;
  }
  return isBusy;
}

async function replayBatch({ db: trx, enqueueDeliveries }: Worker, webhookId: string): Promise<boolean> {
  const replay = await lockReplay(trx, webhookId);
  if (replay === undefined) return false;
  if (replay.webhook_status !== 'enabled') return finish(trx, webhookId);
  if (!replay.is_complete || (await countDue(trx, webhookId, MAX_DUE)) === MAX_DUE) return false;
  const { last, deliveries } = await insertReplayDeliveries(trx, replay, BATCH);
  if (deliveries.length > 0) await enqueueDeliveries(trx, deliveries);
  if (last === null) return finish(trx, webhookId);
  await advanceReplay(trx, webhookId, last);
  return true;
}

async function finish(trx: Db, webhookId: string): Promise<boolean> {
  await deleteReplay(trx, webhookId);
  return false;
}
