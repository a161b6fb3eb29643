import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type ConstructorOptions, fromKnex, type JobInsert, PgBoss, type QueueOptions } from 'pg-boss';
import { afterCommit, type Db } from './knex.ts';
import { listen } from './listener.ts';
import { run, send } from './statement.ts';

/**
 * A job has the id of its delivery, so that no delivery has two, and is deleted when what came of it is recorded.
 */
const QUEUE = 'deliveries';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const queueOptions = {
  // The worker who has not recorded an attempt by then has been killed.
  expireInSeconds: MINUTE / 2,
  // What a killed worker had taken is taken again, however often workers are killed.
  retryLimit: 1_000_000,
  retryDelay: 0,
  // As long as the event that it tells of.
  retentionSeconds: 90 * DAY,
} satisfies QueueOptions;

const settings = { schema: 'pgboss', schedule: false, supervise: false } satisfies ConstructorOptions;

/** A worker looks this often for jobs of workers that were killed (seconds); one of all workers does. */
const SUPERVISION = 10;

/**
 * Brings pg-boss' own tables up to date and makes the queue. The caller sees to it that no other process does so at the
 * same time.
 */
export async function migrateQueue(knex: Knex): Promise<void> {
  const boss = new PgBoss({ ...settings, db: fromKnex(knex) });
  // Only of what it does in the background, which a worker's instance does again.
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
  /** Of a delivery. */
  id: string;
  webhook_id: string;
  startAfter?: Date;
}

/**
 * A webhook's jobs lie in two lanes of its own, one for first attempts and one for later ones, so that a look at one lane
 * passes no job of another, however many wait there. pg-boss' index begins with the priority, which is what tells them apart.
 */
export interface Lane {
  /** A number made of the webhook's id, the same for both lanes. */
  webhook: number;
  priority: number;
}

const priorities = { first: [0, 2 ** 31 - 1], later: [-(2 ** 31), -1] } as const;
export type AttemptKind = keyof typeof priorities;

function laneOf(priority: number): Lane {
  return { priority, webhook: Math.max(priority, -1 - priority) };
}

/** The last 28 bits of an id are random. Two webhooks of the same number would share their lanes. */
function priorityOf(webhookId: string, turn: AttemptKind): number {
  const webhook = Number.parseInt(webhookId.slice(-7), 16);
  return turn === 'first' ? webhook : -1 - webhook;
}

function toJob({ id, webhook_id, startAfter }: Enqueued, turn: AttemptKind): JobInsert {
  return { id, startAfter, priority: priorityOf(webhook_id, turn) };
}

/** Goes from one lane to the next without reading what is in them. */
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

/** For pg-boss. Not its fromKnex(), which takes as long as the statement itself, and can't have it planned once. */
function connectionOf(db: Db, name?: string): ReturnType<typeof fromKnex> {
  return { executeSql: (text, values) => send(db, { name, text, values }) };
}

const CHANNEL = 'deliveries';
/** So many milliseconds lie between two notifications of one process. */
const NOTIFY_INTERVAL = 10;

/**
 * Tells the workers that there are jobs. Not in the transactions that add them: PostgreSQL lets only one transaction with
 * a notification commit at a time. One that is lost costs a second, then the workers look of themselves.
 */
function createNotify(db: Db): () => void {
  let isWanted = false;
  let isBusy = false;

  async function notify(): Promise<void> {
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await send(db, { text: `notify ${CHANNEL}` }).catch(() => undefined);
      await sleep(NOTIFY_INTERVAL);
    }
    isBusy = false;
  }

  return () => {
    isWanted = true;
    if (!isBusy) void notify();
  };
}

/** Sends jobs in the transaction that they belong to. Has no connection of its own, and so nothing to close. */
export function createEnqueue(db: Db): (trx: Db, deliveries: readonly Enqueued[]) => Promise<void> {
  const notify = createNotify(db);
  let boss: PgBoss | undefined;
  return async (trx, deliveries) => {
    // The first one asks its connection what the queue is like and remembers it. Later that connection, a transaction
    // that has ended, is never used: each call brings its own.
    const sender = boss ?? new PgBoss({ ...settings, db: connectionOf(trx) });
    const jobs = deliveries.map((delivery) => toJob(delivery, 'first'));
    await sender.insert(QUEUE, jobs, { db: connectionOf(trx, 'insert_jobs') });
    boss = sender;
    afterCommit(trx, notify);
  };
}

export interface Queue {
  /** Those in which jobs wait, though the time of a later attempt may not have come yet. */
  lanes(turn: AttemptKind): Promise<Lane[]>;
  /** Takes jobs of a lane whose time has come, the oldest first, for no other worker to take. Gives the deliveries' ids. */
  take(lane: Lane, limit: number): Promise<string[]>;
  /** In the transaction that records the attempts: deletes their jobs and adds those of the next attempts. */
  finish(trx: Db, deliveryIds: readonly string[], next: readonly Enqueued[]): Promise<void>;
  close(): Promise<void>;
}

export interface QueueEvents {
  /** There may be jobs to take. */
  onJobs(): void;
  onError(error: unknown): void;
}

/** The side of a worker. It listens for new jobs on a connection of its own. */
export async function openQueue(db: Db, url: string, { onJobs, onError }: QueueEvents): Promise<Queue> {
  const boss = new PgBoss({
    ...settings,
    supervise: true,
    superviseIntervalSeconds: SUPERVISION,
    monitorIntervalSeconds: SUPERVISION,
    flowIntervalSeconds: DAY,
    db: connectionOf(db),
  });
  boss.on('error', onError);
  await boss.start();
  const listener = listen(url, CHANNEL, onJobs);
  // At once too, for what the process before this one has left.
  void boss.supervise(QUEUE).catch(onError);
  return {
    async lanes(turn) {
      const [least, most] = priorities[turn];
      const query = { name: 'find_lanes', sql: lanesSql, bindings: [least, most, least] };
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
