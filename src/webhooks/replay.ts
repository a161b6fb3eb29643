import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../db/knex.ts';
import type { OperationContext } from '../http/operation.ts';
import {
  advanceReplay,
  countDue,
  deleteReplay,
  findReplays,
  insertReplayed,
  lockReplay,
} from './replay-queries.ts';

/** Events that are looked at in one transaction. */
const BATCH = 1_000;
/** So many deliveries of one webhook may be due at once; a replay waits while there are more. */
const MAX_DUE = 2_000;
/** How long there is nothing to do, it seems, when there was nothing (milliseconds). */
const PAUSE = 1_000;

type Worker = Pick<OperationContext, 'db' | 'enqueueDeliveries'>;

/**
 * Does the replays that are asked for, here or in another process, until the function that it returns is called. Any
 * number of processes may do so: the table of replays is their queue, in which each holds the row that it works on.
 */
export function startReplays(worker: Worker, logger: Logger): () => Promise<void> {
  const stopping = new AbortController();
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isBusy = await continueReplays(worker).catch((error: unknown) => {
        logger.warn({ err: error }, 'A replay could not go on; tried again in a moment.');
        return false;
      });
      if (!isBusy) await sleep(PAUSE, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const working = work();
  return () => {
    stopping.abort();
    return working;
  };
}

/**
 * Does a part of each replay; gives whether one of them can go on at once. However much it is, neither the queue of
 * deliveries nor a transaction grows with it. Where it has come to is kept in the transaction that makes the deliveries,
 * so that another worker goes on from there when this one is killed.
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
  if (replay.webhook_status !== 'enabled') return end(trx, webhookId);
  if (!replay.is_complete || (await countDue(trx, webhookId, MAX_DUE)) === MAX_DUE) return false;
  const { last, deliveries } = await insertReplayed(trx, replay, BATCH);
  if (deliveries.length > 0) await enqueueDeliveries(trx, deliveries);
  if (last === null) return end(trx, webhookId);
  await advanceReplay(trx, webhookId, last);
  return true;
}

async function end(trx: Db, webhookId: string): Promise<boolean> {
  await deleteReplay(trx, webhookId);
  return false;
}
