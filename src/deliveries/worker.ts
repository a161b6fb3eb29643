import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { toId } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import { openQueue } from '../db/queue.ts';
import type { Environment } from '../environment.ts';
import { toEvent } from '../events/event.ts';
import type { EnqueueDeliveries } from '../http/operation.ts';
import { type AttemptOptions, attempt, type Message } from './attempt.ts';
import { disableFailing, disableGone, type Result } from './disable-failing.ts';
import { forgetAnswers } from './forget-answers.ts';
import { createPump, type Pump } from './pump.ts';
import { findEvents, findPending, type PendingDelivery, recordOutcomes } from './queries.ts';
import { createRecorder } from './recorder.ts';

/** Of the same trouble the log tells this often (milliseconds). */
const COMPLAINT_INTERVAL = 10_000;

/** How often, and after how many milliseconds, it is tried again to read what is to be delivered. */
const MAX_TRIES = 20;
const RETRY = 250;

export interface WorkerOptions extends AttemptOptions {
  environment: Environment;
  db: Db;
  databaseUrl: string;
  enqueueDeliveries: EnqueueDeliveries;
  logger: Logger;
}

export interface Worker {
  /** Takes no more jobs, and gives what is under way so many milliseconds to end. */
  stop(patience: number): Promise<void>;
}

interface Done {
  deliveryId: string;
  /** Undefined when the delivery was not waiting any more. */
  result: Result | undefined;
}

interface Load {
  deliveries: Map<string, PendingDelivery>;
  messages: Map<string, Message>;
}

/** Delivers an environment's events to its webhooks, beside any number of other workers. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { db, environment, logger } = options;
  let silentUntil = 0;

  function complain(error: unknown): void {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + COMPLAINT_INTERVAL;
    logger.warn({ err: error, environment }, 'Deliveries to webhooks are held up; they are tried again.');
  }

  function start(deliveryIds: string[]): Promise<void>[] {
    const loading = withPatience(() => load(db, environment, deliveryIds));
    return deliveryIds.map(async (deliveryId) => {
      const { deliveries, messages } = await loading;
      const delivery = deliveries.get(deliveryId);
      const outcome = delivery && (await attempt(delivery, messages.get(delivery.event_id), options));
      await recorder.record({ deliveryId, result: delivery && outcome && { delivery, outcome } });
    });
  }

  /** The attempts, their jobs and the jobs of the next attempts: all of it or nothing. */
  async function write(batch: Done[]): Promise<void> {
    const deliveryIds = batch.map(({ deliveryId }) => deliveryId);
    const results = batch.flatMap(({ result }) => result ?? []);
    await db.transaction(async (trx) => {
      const kept = await forgetAnswers(trx, results);
      const outcomes = new Map(kept.map((outcome) => [outcome.delivery_id, outcome]));
      const recorded = outcomes.size > 0 ? await recordOutcomes(trx, [...outcomes.values()]) : [];
      const next = recorded.flatMap(({ id, webhook_id, next_attempt_at }) =>
        next_attempt_at === null ? [] : { id, webhook_id, startAfter: next_attempt_at },
      );
      await queue.finish(trx, deliveryIds, next);
      await disableGone(trx, results, options.enqueueDeliveries);
    });
    await disableFailing(db, results, options.enqueueDeliveries, complain);
  }

  const recorder = createRecorder<Done>(write, complain);
  let pump: Pump | undefined;
  const queue = await openQueue(db, options.databaseUrl, { onJobs: () => pump?.wake(), onError: complain });
  pump = createPump(queue, start, complain);
  pump.wake();

  return {
    async stop(patience) {
      await pump?.stop(patience);
      recorder.close();
      await queue.close();
    },
  };
}

/** The jobs are taken by now, and nobody else would look at them for half a minute. */
async function withPatience<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    const done = await action().catch(() => undefined);
    if (done !== undefined) return done;
    await sleep(RETRY);
  }
  return action();
}

/** An event is written out once, to however many webhooks it goes. */
async function load(db: Db, environment: Environment, deliveryIds: readonly string[]): Promise<Load> {
  const deliveries = await findPending(db, deliveryIds);
  const events = await findEvents(
    db,
    deliveries.map(({ event_id }) => event_id),
  );
  return {
    deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
    messages: new Map(
      events.map((event) => [
        event.id,
        { id: toId('event', event.id), body: JSON.stringify(toEvent(event, environment)) },
      ]),
    ),
  };
}
