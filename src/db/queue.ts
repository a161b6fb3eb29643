import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type ConstructorOptions, fromKnex, type JobInsert, PgBoss, type QueueOptions } from 'pg-boss';
import { afterCommit, type Db } from './knex.ts';
import { listen } from './listener.ts';
import { run, send } from './statement.ts';

/**
 * A job has the id of its delivery, so that no delivery has two jobs. It is deleted when its result is recorded.
 */
const QUEUE = 'deliveries';

/** Seconds. */
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const queueOptions = {
  // A worker that has not recorded an attempt by then has been killed.
  expireInSeconds: MINUTE / 2,
  // Jobs of a killed worker are retried, however often workers are killed.
  retryLimit: 1_000_000,
  retryDelay: 0,
  // As long as the event is kept.
  retentionSeconds: 90 * DAY,
} satisfies QueueOptions;

const settings = { schema: 'pgboss', schedule: false, supervise: false } satisfies ConstructorOptions;

/** Seconds between checks for jobs of killed workers, made by one of all workers. */
const SUPERVISION_INTERVAL = 10;

/**
 * Brings pg-boss's tables up to date and creates the queue. The caller ensures that no other process does so concurrently.
 */
export async function migrateQueue(knex: Knex): Promise<void> {
  const boss = new PgBoss({ ...settings, db: fromKnex(knex) });
  // Errors of background work only, which a worker's instance repeats.
  boss.on('error', () => undefined);
  await boss.start();
  try {
    await boss.createQueue(QUEUE, queueOptions);
    await boss.updateQueue(QUEUE, queueOptions);
  } finally {
    await boss.stop({ graceful: false });
  }
}

interface Enqueued {
  /** Delivery id (UUID). */
  id: string;
  webhook_id: string;
  startAfter?: Date;
}

/**
 * Each webhook has two lanes, one for first attempts and one for later ones, so that reading a lane never scans the jobs of
 * another, however many wait there. The priority encodes the lane, because pg-boss's index begins with it.
 */
export interface Lane {
  /** Derived from the webhook's id, the same for both lanes. */
  webhook: number;
  priority: number;
}

const priorities = { first: [0, 2 ** 31 - 1], later: [-(2 ** 31), -1] } as const;
export type AttemptKind = keyof typeof priorities;

function laneOf(priority: number): Lane {
  return { priority, webhook: Math.max(priority, -1 - priority) };
}

/** The last 28 bits of an id are random. Two webhooks with the same bits would share their lanes. */
function priorityOf(webhookId: string, kind: AttemptKind): number {
  const webhook = Number.parseInt(webhookId.slice(-7), 16);
  return kind === 'first' ? webhook : -1 - webhook;
}

function toJob({ id, webhook_id, startAfter }: Enqueued, kind: AttemptKind): JobInsert {
  return { id, startAfter, priority: priorityOf(webhook_id, kind) };
}

/** Skips from lane to lane without reading their jobs (a loose index scan). */
const lanesSql = `with recursive lane as (
    (
      select priority from pgboss.job
      where name = '${QUEUE}' and state < 'active' and not blocked and priority between ? and ?
      order by priority desc limit 1
    )
    union all
    select (
      select priority from pgboss.job
      where name = '${QUEUE}' and state < 'active' and not blocked and priority >= ? and priority < lane.priority
      order by priority desc limit 1
    )
    from lane where priority is not null
  )
  select priority from lane where priority is not null`;

/** Adapter for pg-boss. Its fromKnex() takes as long as the statement itself, and can't have it planned once. */
function connectionOf(db: Db, name?: string): ReturnType<typeof fromKnex> {
  return { executeSql: (text, values) => send(db, { name, text, values }) };
}

const CHANNEL = 'deliveries';
/** Minimum milliseconds between two notifications of a process. */
const NOTIFY_INTERVAL = 10;

/**
 * Notifies the workers of new jobs, outside of the transactions that add them: PostgreSQL commits transactions with
 * notifications one at a time. A lost notification costs up to a second, until the workers poll.
 */
function createNotify(db: Db): () => void {
  let isPending = false;
  let isRunning = false;

  async function notify(): Promise<void> {
    isRunning = true;
    while (isPending) {
      isPending = false;
      await send(db, { text: `notify ${CHANNEL}` }).catch(() => undefined);
      await sleep(NOTIFY_INTERVAL);
    }
    isRunning = false;
  }

  return () => {
    isPending = true;
    if (!isRunning) void notify();
  };
}

/** Returns a function that adds jobs in the caller's transaction. It holds no connection: nothing to close. */
export function createEnqueue(db: Db): (trx: Db, deliveries: readonly Enqueued[]) => Promise<void> {
  const notify = createNotify(db);
  let boss: PgBoss | undefined;
  return async (trx, deliveries) => {
    // On first use, the instance reads the queue's options over its connection and caches them. That connection, a
    // transaction that has ended, is never used again: each call passes its own.
    const sender = boss ?? new PgBoss({ ...settings, db: connectionOf(trx) });
    const jobs = deliveries.map((delivery) => toJob(delivery, 'first'));
    await sender.insert(QUEUE, jobs, { db: connectionOf(trx, 'insert_jobs') });
    boss = sender;
    afterCommit(trx, notify);
  };
}

export interface Queue {
  /** Lanes with waiting jobs, including later attempts that are not due yet. */
  lanes(kind: AttemptKind): Promise<Lane[]>;
  /** Leases due jobs of a lane to this worker, oldest first. Returns the ids of their deliveries. */
  take(lane: Lane, limit: number): Promise<string[]>;
  /** In the transaction that records the attempts: deletes their jobs and adds jobs for the next attempts. */
  finish(trx: Db, deliveryIds: readonly string[], next: readonly Enqueued[]): Promise<void>;
  close(): Promise<void>;
}

interface QueueEvents {
  /** Called when there may be new jobs. */
  onJobs(): void;
  onError(error: unknown): void;
}

/** The worker's side of the queue. It listens for new jobs on a dedicated connection. */
export async function openQueue(db: Db, url: string, { onJobs, onError }: QueueEvents): Promise<Queue> {
  const boss = new PgBoss({
    ...settings,
    supervise: true,
    superviseIntervalSeconds: SUPERVISION_INTERVAL,
    monitorIntervalSeconds: SUPERVISION_INTERVAL,
    flowIntervalSeconds: DAY,
    db: connectionOf(db),
  });
  boss.on('error', onError);
  await boss.start();
  const listener = listen(url, CHANNEL, onJobs);
  // Immediately as well, for jobs that a previous process left behind.
  void boss.supervise(QUEUE).catch(onError);
  return {
    async lanes(kind) {
      const [min, max] = priorities[kind];
      const query = { name: 'find_lanes', sql: lanesSql, bindings: [min, max, min] };
      const rows = await run<{ priority: number }>(db, query);
      return rows.map(({ priority }) => laneOf(priority));
    },
    async take({ priority }, limit) {
      const jobs = await boss.fetch(QUEUE, {
        batchSize: limit,
        minPriority: priority,
        maxPriority: priority,
      });
      return jobs.map(({ id }) => id);
    },
    async finish(trx, deliveryIds, next) {
      const connection = { db: connectionOf(trx) };
      await boss.deleteJob(QUEUE, [...deliveryIds], connection);
      if (next.length === 0) return;
      await boss.insert(
        QUEUE,
        next.map((delivery) => toJob(delivery, 'later')),
        connection,
      );
    },
    async close() {
      await listener.close();
      await boss.stop({ graceful: false, close: false });
    },
  };
}
