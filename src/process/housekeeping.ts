import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { deleteSurplusDeliveries, disableOverfull } from '../deliveries/bound-storage.ts';
import type { Environment } from '../environment.ts';
import { forgetErased } from '../imports/erasure/forget-erased.ts';
import { deleteOldKeys } from '../imports/housekeeping-queries.ts';
import { makeRoom } from '../inbound-hooks/make-room.ts';
import { deleteOrphanedInboundDeliveries } from '../inbound-hooks/queries.ts';
import { foldLeadCounters } from '../leads/counter-queries.ts';
import { tellDue } from '../next-steps/tell-due.ts';
import { HOUR, MINUTE } from '../values/time.ts';
import { deleteOrphanedDeliveries } from '../webhooks/queries.ts';
import { runInBackground, type Task } from './background.ts';
import { BATCH_SIZE, oldData, PAYLOAD_BATCH_SIZE } from './old-data.ts';
import { createRetention } from './retention.ts';

/** Rows deleted per batch where a row has a few bytes. */
const KEY_BATCH_SIZE = 20_000;
/** A deletion that takes longer logs its count meanwhile. Milliseconds. */
const REPORT_INTERVAL = MINUTE;

/** How long a task may run before the next one starts. Milliseconds. */
const TURN = 100;

/** Called with the number of rows of a kind that were deleted. */
export type ObserveDeletion = (environment: Environment, kind: string, deleted: number) => void;

interface Deletion extends Pick<Task, 'failure' | 'interval'> {
  kind: string;
  /** Deletes up to `limit` rows. Returns the number deleted. */
  run(context: Context, limit: number): Promise<number>;
  limit: number;
}

/** Rows that are deleted for another reason than their age. */
const surplus: readonly Deletion[] = [
  {
    kind: 'inbound_deliveries_of_deleted_hooks',
    failure: 'Inbound deliveries of deleted hooks could not be deleted.',
    interval: HOUR,
    limit: PAYLOAD_BATCH_SIZE,
    run: ({ db }, limit) => deleteOrphanedInboundDeliveries(db, limit),
  },
  {
    kind: 'import_keys',
    failure: 'Keys of finished dry runs could not be deleted.',
    interval: HOUR,
    limit: KEY_BATCH_SIZE,
    run: ({ db }, limit) => deleteOldKeys(db, limit),
  },
  {
    kind: 'deliveries_of_deleted_webhooks',
    failure: 'Deliveries of deleted webhooks could not be deleted.',
    // Clients can fill webhooks and delete them faster than every hour.
    interval: 10_000,
    limit: BATCH_SIZE,
    run: ({ db }, limit) => deleteOrphanedDeliveries(db, limit),
  },
  {
    kind: 'surplus_deliveries',
    failure: 'Surplus deliveries could not be deleted.',
    interval: MINUTE,
    limit: BATCH_SIZE,
    run: ({ db }, limit) => deleteSurplusDeliveries(db, limit),
  },
];

/** Starts an environment's tasks. Returns the stop function, which may interrupt them: each resumes at its next run. */
export function startHousekeeping(
  context: Context,
  logger: Logger,
  observe: ObserveDeletion = () => {},
): () => void {
  const retention = createRetention(context, logger);
  const old = oldData.map(({ deleteOld, ...data }) => ({
    ...data,
    run: async ({ db }: Context, limit: number) => deleteOld(db, await retention(), limit),
  }));
  const tasks: Task[] = [
    ...[...old, ...surplus].map((deletion) => deletionTask(deletion, logger, observe)),
    {
      failure: 'Lead counters could not be folded.',
      // Readers add up unfolded counter rows on every query, so fold often to keep them few.
      interval: 1_000,
      runsInCopies: true,
      run: ({ db }) => foldLeadCounters(db),
    },
    {
      failure: 'Whether the log of events is complete could not be checked.',
      interval: 1_000,
      runsInCopies: true,
      run: ({ history }) => history.check(),
    },
    {
      failure: 'When API keys were last used could not be stored.',
      interval: 10_000,
      runsInCopies: true,
      run: ({ auth }) => auth.recordUses(),
    },
    {
      failure: 'Next steps that are due could not be told.',
      interval: 1_000,
      run: ({ db }) => tellDue(db),
    },
    {
      failure: 'Erased people could not be removed from import rows.',
      // Rare, because it reads all import rows. Imports don't rely on it: each checks for erased people itself.
      interval: 5 * MINUTE,
      run: ({ db }) => forgetErased(db),
    },
    {
      failure: 'Webhooks with too many waiting deliveries could not be disabled.',
      // A batch of a thousand leads creates up to twenty thousand deliveries.
      interval: 10_000,
      run: ({ db }) => disableOverfull(db),
    },
    {
      // The storage may be full, or the database unavailable.
      failure: 'Storage for payloads of inbound hooks could not be freed.',
      // Inbound storage fills up as fast as senders send.
      interval: 10_000,
      async run(context) {
        observe(context.environment, 'inbound_payloads', await makeRoom(context, logger));
      },
    },
  ];
  const stop = runInBackground(inTurn(tasks), context, logger);
  return () => void stop();
}

/** Deletes a batch per run. Logs one line when nothing is left to delete, or after a minute. */
function deletionTask(
  { kind, limit, run, ...rest }: Deletion,
  logger: Logger,
  observe: ObserveDeletion,
): Task {
  let deleted = 0;
  let startedAt = 0;
  return {
    ...rest,
    async run(context) {
      if (deleted === 0) startedAt = performance.now();
      const count = await run(context, limit);
      const hasMore = count >= limit;
      const { environment } = context;
      deleted += count;
      observe(environment, kind, count);
      if (deleted > 0 && (!hasMore || performance.now() - startedAt > REPORT_INTERVAL)) {
        logger.info({ environment, kind, deleted }, 'Deleted old data.');
        deleted = 0;
      }
      return hasMore;
    },
  };
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
