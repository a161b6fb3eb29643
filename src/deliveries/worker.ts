import type { Logger } from 'pino';
import type { Db } from '../db/db.ts';
import type { Listener } from '../db/pool/listener.ts';
import type { Probe } from '../db/probe.ts';
import type { Environment } from '../environment.ts';
import { DELIVERIES } from '../events/channels.ts';
import { toEvent } from '../events/event.ts';
import { toId } from '../values/id.ts';
import { type AttemptOptions, attempt, type Message } from './attempt.ts';
import type { ObserveAttempt } from './attempt-metrics.ts';
import { type AttemptResult, disableFailing, disableGone } from './disable-failing.ts';
import { recordOutcomes } from './outcome-queries.ts';
import { createPump, type Job } from './pump.ts';
import {
  findPendingEvents,
  type PendingDelivery,
  renewLeases,
  type SendingSlots,
  takeDue,
} from './queries.ts';
import { createRecorder } from './recorder.ts';
import { redactResponses } from './redact-responses.ts';

/** Minimum milliseconds between two warnings in the log. */
const WARNING_INTERVAL = 10_000;
/** Milliseconds. A third of a lease, so that two renewals may fail. */
const RENEWAL_INTERVAL = 4_000;

export interface WorkerOptions extends AttemptOptions {
  environment: Environment;
  db: Db;
  listener: Listener;
  probe: Pick<Probe, 'mayWork'>;
  logger: Logger;
  observe?: ObserveAttempt | undefined;
}

export type Worker = ReturnType<typeof startWorker>;

/** Delivers an environment's events to its webhooks, alongside any number of other workers. */
export function startWorker(options: WorkerOptions) {
  const { db, environment, logger, now, probe } = options;
  let mutedUntil = 0;

  function warn(error: unknown): void {
    if (performance.now() < mutedUntil) return;
    mutedUntil = performance.now() + WARNING_INTERVAL;
    logger.warn({ err: error, environment }, 'Webhook deliveries are delayed; they will be retried.');
  }

  /** If the events can't be read, the deliveries are taken again when their leases end. */
  async function take(slots: SendingSlots): Promise<Job[]> {
    if (!(await probe.mayWork())) return [];
    const deliveries = await takeDue(db, slots, now?.());
    // A copy may have taken the place of the database since the last check.
    if (!(await probe.mayWork())) return [];
    const messages = await findMessages(db, environment, deliveries);
    return deliveries.map((delivery) => ({ delivery, message: messages.get(delivery.event_id) }));
  }

  async function deliver({ delivery, message }: Job): Promise<void> {
    const outcome = await attempt(delivery, message, options);
    options.observe?.(environment, delivery, outcome);
    await recorder.record({ delivery, outcome });
  }

  async function write(results: AttemptResult[]): Promise<void> {
    await db.transaction(async (trx) => {
      const recorded = await recordOutcomes(trx, await redactResponses(trx, results), now?.());
      await disableGone(
        trx,
        results.filter(({ delivery }) => recorded.has(delivery.id)),
      );
    });
    await disableFailing(results, options, warn);
  }

  const recorder = createRecorder<AttemptResult>(write, warn);
  const pump = createPump(take, deliver, warn);
  const unsubscribe = options.listener.on(DELIVERIES, pump.wake);
  const renewal = setInterval(() => {
    void renewLeases(db, pump.running(), now?.()).catch(warn);
  }, RENEWAL_INTERVAL);

  return {
    /** Takes no more deliveries, and waits up to `timeout` milliseconds for running ones. */
    async stop(timeout: number) {
      unsubscribe();
      await pump.stop(timeout);
      clearInterval(renewal);
      recorder.close();
    },
  };
}

/** The messages by event. Serializes an event once, even if it goes to several webhooks. */
async function findMessages(
  db: Db,
  environment: Environment,
  deliveries: readonly PendingDelivery[],
): Promise<Map<string, Message>> {
  if (deliveries.length === 0) return new Map();
  const events = await findPendingEvents(
    db,
    deliveries.map(({ event_id }) => event_id),
  );
  return new Map(
    events.map((event) => [
      event.id,
      {
        id: toId('event', event.id),
        body: JSON.stringify(toEvent(event, environment)),
        occurredAt: event.occurred_at,
      },
    ]),
  );
}
