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
import { createPump, type Pump } from './pump.ts';
import { findEvents, findPending, type PendingDelivery, recordOutcomes } from './queries.ts';
import { createRecorder } from './recorder.ts';
import { redactResponses } from './redact-responses.ts';

/** Minimum milliseconds between two warnings in the log. */
const WARNING_INTERVAL = 10_000;

/** Maximum attempts to load deliveries, and milliseconds between them. */
const MAX_TRIES = 20;
const RETRY_DELAY = 250;

interface WorkerOptions extends AttemptOptions {
  environment: Environment;
  db: Db;
  databaseUrl: string;
  enqueueDeliveries: EnqueueDeliveries;
  logger: Logger;
}

export interface Worker {
  /** Takes no more jobs, and waits up to `timeout` milliseconds for running ones. */
  stop(timeout: number): Promise<void>;
}

interface Done {
  deliveryId: string;
  /** Undefined if the delivery was no longer pending. */
  result: Result | undefined;
}

interface Load {
  deliveries: Map<string, PendingDelivery>;
  messages: Map<string, Message>;
}

/** Delivers an environment's events to its webhooks, alongside any number of other workers. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { db, environment, logger } = options;
  let mutedUntil = 0;

  function warn(error: unknown): void {
    if (performance.now() < mutedUntil) return;
    mutedUntil = performance.now() + WARNING_INTERVAL;
    logger.warn({ err: error, environment }, 'Webhook deliveries are delayed; they will be retried.');
  }

  function start(deliveryIds: string[]): Promise<void>[] {
    const loading = withRetries(() => load(db, environment, deliveryIds));
    return deliveryIds.map(async (deliveryId) => {
      const { deliveries, messages } = await loading;
      const delivery = deliveries.get(deliveryId);
      const outcome = delivery && (await attempt(delivery, messages.get(delivery.event_id), options));
      await recorder.record({ deliveryId, result: delivery && outcome && { delivery, outcome } });
    });
  }

  /** Atomically records the attempts, deletes their jobs and adds jobs for the next attempts. */
  async function write(batch: Done[]): Promise<void> {
    const deliveryIds = batch.map(({ deliveryId }) => deliveryId);
    const results = batch.flatMap(({ result }) => result ?? []);
    await db.transaction(async (trx) => {
      const kept = await redactResponses(trx, results);
      const outcomes = new Map(kept.map((outcome) => [outcome.delivery_id, outcome]));
      const recorded = outcomes.size > 0 ? await recordOutcomes(trx, [...outcomes.values()]) : [];
      const next = recorded.flatMap(({ id, webhook_id, next_attempt_at }) =>
        next_attempt_at === null ? [] : { id, webhook_id, startAfter: next_attempt_at },
      );
      await queue.finish(trx, deliveryIds, next);
      await disableGone(trx, results, options.enqueueDeliveries);
    });
    await disableFailing(db, results, options.enqueueDeliveries, warn);
  }

  const recorder = createRecorder<Done>(write, warn);
  let pump: Pump | undefined;
  const queue = await openQueue(db, options.databaseUrl, { onJobs: () => pump?.wake(), onError: warn });
  pump = createPump(queue, start, warn);
  pump.wake();

  return {
    async stop(timeout) {
      await pump?.stop(timeout);
      recorder.close();
      await queue.close();
    },
  };
}

/** The jobs are leased by now, and no other worker would take them for half a minute. */
async function withRetries<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    const done = await action().catch(() => undefined);
    if (done !== undefined) return done;
    await sleep(RETRY_DELAY);
  }
  return action();
}

/** Serializes an event once, even if it goes to several webhooks. */
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
