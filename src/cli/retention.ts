import type { Db } from '../db/db.ts';
import { acceptJump, type RetentionClock, readRetentionClock } from '../db/retention-clock.ts';
import type { Environment } from '../environment.ts';
import { oldData } from '../process/old-data.ts';
import { explainHold } from '../process/retention.ts';
import { confirm } from './confirm.ts';
import type { Report } from './report.ts';

/** Rows to count of each kind. */
const MAX_COUNTED = 1_000;

export async function showRetention(db: Db): Promise<Report> {
  const clock = await readRetentionClock(db);
  const title = clock.heldBy === undefined ? 'Old data is deleted up to the present:' : explainHold(clock);
  return { title, data: timesOf(clock) };
}

/** Accepts a jump of the database's clock, after asking. */
export async function releaseRetention(
  db: Db,
  environment: Environment,
  options: { yes?: boolean },
): Promise<Report> {
  const clock = await readRetentionClock(db);
  if (clock.heldBy === undefined) return { title: 'Nothing holds the deletion back:', data: timesOf(clock) };
  if (clock.heldBy === 'clocks') throw new Error(explainHold(clock));
  const due = await countDue(db, clock.now);
  const what =
    `The database's time is ${clock.now.toISOString()}. If it is right, the service now deletes what is too old by then: ` +
    `${due}.`;
  await confirm({ what, name: environment }, options);
  await acceptJump(db);
  const after = await readRetentionClock(db);
  return { title: `Released: within an hour, the service deletes ${due}.`, data: timesOf(after) };
}

function timesOf({ now, reached }: RetentionClock) {
  return { database_time: now.toISOString(), deleted_until: reached.toISOString() };
}

/** The rows that have expired by this time, such as `12 audit_log, more than 999 events`. */
async function countDue(db: Db, now: Date): Promise<string> {
  const counts = await db.transaction(
    async (trx) => {
      const found: string[] = [];
      for (const { kind, deleteOld } of oldData) {
        const count = await deleteOld(trx, now, MAX_COUNTED);
        if (count > 0) found.push(count < MAX_COUNTED ? `${count} ${kind}` : `at least ${count} ${kind}`);
      }
      return found;
    },
    { dryRun: true },
  );
  return counts.length === 0 ? 'nothing' : counts.join(', ');
}
