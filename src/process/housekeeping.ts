import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { deleteOldAuditLogEntries } from '../audit-log/queries.ts';
import { deleteExpiredRevocations } from '../auth/queries.ts';
import { deleteOldJobs } from '../bulk-jobs/queries.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/db.ts';
import { deleteSurplusDeliveries, disableOverfull } from '../deliveries/bound-storage.ts';
import { deleteExpiredEvents } from '../events/retention.ts';
import { deleteExpiredKeys } from '../http/idempotency/queries.ts';
import { deleteOldUsage } from '../http/idempotency/usage-queries.ts';
import { forgetErased } from '../imports/erasure/forget-erased.ts';
import { deleteOldChunks, deleteOldImports, deleteOldKeys } from '../imports/housekeeping-queries.ts';
import { makeRoom } from '../inbound-hooks/make-room.ts';
import { deleteOldInboundDeliveries, deleteOrphanedInboundDeliveries } from '../inbound-hooks/queries.ts';
import { foldLeadCounters } from '../leads/counter-queries.ts';
import { deleteOldErasures } from '../people/queries.ts';
import { HOUR, MINUTE } from '../values/time.ts';
import { deleteExpiredSecrets, deleteOldDeliveries, deleteOrphanedDeliveries } from '../webhooks/queries.ts';
import { deleteOldReplays } from '../webhooks/replay-queries.ts';
import { runInBackground, type Task } from './background.ts';

/** Rows deleted per batch. Small enough that a batch takes a fraction of a second and blocks nobody. */
const BATCH_SIZE = 1_000;
/** Events deleted per batch. A log of ten million loses 110,000 a day; a batch takes 25 ms. */
const EVENT_BATCH_SIZE = 5_000;
/** Rows deleted per batch where a row may be one megabyte. */
const PAYLOAD_BATCH_SIZE = 50;
/** Rows deleted per batch where a row has a few bytes. */
const KEY_BATCH_SIZE = 20_000;
/** Imports or bulk jobs deleted per batch, each with up to 100,000 errors. */
const IMPORT_BATCH_SIZE = 5;

/** How long a task may run before the next one starts. Milliseconds. */
const TURN = 100;

/** Deletes a batch per run. */
function inBatches(deleteBatch: (db: Db, limit: number) => Promise<number>, limit = BATCH_SIZE): Run {
  return async (db) => (await deleteBatch(db, limit)) >= limit;
}

type Run = (db: Db) => Promise<unknown>;

const hourly: Record<string, Run> = {
  'Expired idempotency keys could not be deleted.': inBatches(deleteExpiredKeys),
  'Counts of expired responses could not be deleted.': deleteOldUsage,
  'Expired revocations could not be deleted.': inBatches(deleteExpiredRevocations),
  'Old audit log entries could not be deleted.': inBatches(deleteOldAuditLogEntries),
  'Old erasures could not be deleted.': inBatches(deleteOldErasures),
  'Expired webhook secrets could not be deleted.': deleteExpiredSecrets,
  'Old deliveries could not be deleted.': inBatches(deleteOldDeliveries),
  'Old inbound deliveries could not be deleted.': inBatches(deleteOldInboundDeliveries, PAYLOAD_BATCH_SIZE),
  'Inbound deliveries of deleted hooks could not be deleted.': inBatches(
    deleteOrphanedInboundDeliveries,
    PAYLOAD_BATCH_SIZE,
  ),
  'Rows of finished imports could not be deleted.': inBatches(deleteOldChunks, PAYLOAD_BATCH_SIZE),
  'Keys of finished dry runs could not be deleted.': inBatches(deleteOldKeys, KEY_BATCH_SIZE),
  'Old events could not be deleted.': inBatches(
    (db, limit) => deleteExpiredEvents(db, new Date(), limit),
    EVENT_BATCH_SIZE,
  ),
};

/** Starts an environment's tasks. Returns the stop function, which may interrupt them: each resumes at its next run. */
export function startHousekeeping(context: Context, logger: Logger): () => void {
  const tasks: Task[] = [
    ...Object.entries(hourly).map(([failure, run]) => ({
      failure,
      interval: HOUR,
      run: ({ db }: Context) => run(db),
    })),
    {
      failure: 'Lead counters could not be folded.',
      // Readers add up unfolded counter rows on every query, so fold often to keep them few.
      interval: 1_000,
      run: ({ db }) => foldLeadCounters(db),
    },
    {
      failure: 'Whether the log of events is complete could not be checked.',
      interval: 1_000,
      run: ({ history }) => history.check(),
    },
    {
      failure: 'When API keys were last used could not be stored.',
      interval: 10_000,
      run: ({ auth }) => auth.recordUses(),
    },
    {
      failure: 'Erased people could not be removed from import rows.',
      // Rare, because it reads all import rows. Imports don't rely on it: each checks for erased people itself.
      interval: 5 * MINUTE,
      run: ({ db }) => forgetErased(db),
    },
    {
      failure: 'Deliveries of deleted webhooks could not be deleted.',
      // Clients can fill webhooks and delete them faster than every hour.
      interval: 10_000,
      run: ({ db }) => inBatches(deleteOrphanedDeliveries)(db),
    },
    {
      failure: 'Webhooks with too many waiting deliveries could not be disabled.',
      // A batch of a thousand leads creates up to twenty thousand deliveries.
      interval: 10_000,
      run: ({ db }) => disableOverfull(db),
    },
    {
      failure: 'Surplus deliveries could not be deleted.',
      interval: MINUTE,
      run: ({ db }) => inBatches(deleteSurplusDeliveries)(db),
    },
    {
      failure: 'Old replays could not be deleted.',
      interval: MINUTE,
      run: ({ db }) => inBatches(deleteOldReplays)(db),
    },
    {
      failure: 'Old imports could not be deleted.',
      // Clients can create hundreds a minute, each with many errors.
      interval: MINUTE,
      run: ({ db }) => inBatches(deleteOldImports, IMPORT_BATCH_SIZE)(db),
    },
    {
      failure: 'Old bulk jobs could not be deleted.',
      // Clients can create hundreds a minute, each with many errors.
      interval: MINUTE,
      run: ({ db }) => inBatches(deleteOldJobs, IMPORT_BATCH_SIZE)(db),
    },
    {
      // The storage may be full, or the database unavailable.
      failure: 'Storage for payloads of inbound hooks could not be freed.',
      // Inbound storage fills up as fast as senders send.
      interval: 10_000,
      run: (context) => makeRoom(context, logger),
    },
  ];
  const stop = runInBackground(inTurn(tasks), context, logger);
  return () => void stop();
}

/**
 * Makes the tasks run one at a time, so that they take one connection and leave the rest of the pool to requests. A task
 * that runs for longer than TURN no longer delays the others.
 */
function inTurn(tasks: readonly Task[]): Task[] {
  let last: Promise<unknown> = Promise.resolve();
  return tasks.map((task) => ({
    ...task,
    run(context, signal) {
      const result = last.then(() => (signal.aborted ? undefined : task.run(context, signal)));
      last = Promise.race([result, sleep(TURN, undefined, { ref: false })]).catch(() => undefined);
      return result;
    },
  }));
}
