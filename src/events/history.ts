import type { Logger } from 'pino';
import type { History } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Environment } from '../environment.ts';
import { toId } from '../values/id.ts';
import { findLost } from './lost-queries.ts';

/** After this time without a rejected cursor, the next one is logged again. Milliseconds. */
const QUIET = 600_000;

const LOST =
  'The database has lost events that were committed, and all other changes since: an older state has replaced it. ' +
  'Followers of the log get 410 log_restored if they have seen such events.';
const REJECTED =
  'A follower of the event log gets 410 log_restored: the database does not have the event in its cursor. It was restored ' +
  'from a backup, or it lost its last changes in a failover.';

interface HistoryOptions {
  db: Pick<Database, 'run' | 'marks'>;
  environment: Environment;
  logger: Logger;
}

/** Notices that the database has lost history, and says so: clients learn of it only if they follow the log. */
export function createHistory({ db, environment, logger }: HistoryOptions): History {
  const counts = { lost: 0, rejected: 0 };
  let rejectedAt = Number.NEGATIVE_INFINITY;

  return {
    counts,
    async check() {
      const marks = db.marks.list();
      if (marks.length === 0) return;
      const [first, ...others] = await findLost(db, marks);
      if (first === undefined) return;
      db.marks.forget([first, ...others]);
      counts.lost += 1;
      logger.warn({ environment, event: toId('event', first.id), position: first.position }, LOST);
    },
    reject(position) {
      const now = performance.now();
      if (now - rejectedAt > QUIET) logger.warn({ environment, position }, REJECTED);
      rejectedAt = now;
      counts.rejected += 1;
    },
  };
}
