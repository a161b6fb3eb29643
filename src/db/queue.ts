import type { Knex } from 'knex';
import { type ConstructorOptions, fromKnex, PgBoss, type QueueOptions } from 'pg-boss';

/** The queue of deliveries. A job holds a delivery's id and is deleted when its attempt has been recorded. */
export const QUEUE = 'deliveries';

/** How long an attempt may take until it is recorded (seconds). Then the job counts as that of a killed worker. */
const LEASE = 30;

const DAY = 24 * 60 * 60;

const queueOptions = {
  expireInSeconds: LEASE,
  // What a killed worker had taken is taken again, however often workers are killed.
  retryLimit: 1_000_000,
  retryDelay: 0,
  // As long as the event that it tells of.
  retentionSeconds: 90 * DAY,
} satisfies QueueOptions;

/** What every instance of pg-boss has in common here: its tables' schema, and none of its clocks. */
export const queueSettings = {
  schema: 'pgboss',
  schedule: false,
  supervise: false,
} satisfies ConstructorOptions;

/**
 * Brings pg-boss' own tables up to date and makes the queue. Its caller sees to it that no other process does so at the
 * same time.
 */
export async function migrateQueue(knex: Knex): Promise<void> {
  const boss = new PgBoss({ ...queueSettings, db: fromKnex(knex) });
  // Only of what it does in the background, which a worker's instance does again.
  boss.on('error', () => undefined);
  await boss.start();
  try {
    await boss.createQueue(QUEUE, { ...queueOptions, notify: true });
    await boss.updateQueue(QUEUE, { ...queueOptions, notify: true });
  } finally {
    await boss.stop({ graceful: false });
  }
}

interface Enqueued {
  id: string;
  webhook_id: string;
  startAfter?: Date;
}

/** Sends jobs in the transaction that they belong to. Needs no connection of its own, and so nothing to close. */
export function createEnqueue(): (db: Knex, deliveries: readonly Enqueued[]) => Promise<void> {
  let boss: PgBoss | undefined;
  return async (db, deliveries) => {
    const connection = fromKnex(db);
    // The first one asks its connection what the queue is like and remembers it. Later that connection, a transaction
    // that has ended, is never used: each call brings its own.
    const sender = boss ?? new PgBoss({ ...queueSettings, db: connection });
    const jobs = deliveries.map(({ id, webhook_id, startAfter }) => ({
      data: { delivery_id: id },
      group: { id: webhook_id },
      startAfter,
    }));
    await sender.insert(QUEUE, jobs, { db: connection });
    boss = sender;
  };
}
