import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { type RetentionClock, readRetentionClock } from '../db/retention-clock.ts';
import { DAY, HOUR, MINUTE } from '../values/time.ts';

/**
 * Returns a function that says up to when rows may be deleted. It logs an error when deletion by age stops, and a line when it
 * continues.
 */
export function createRetention(
  { db, environment }: Pick<Context, 'db' | 'environment'>,
  logger: Logger,
): () => Promise<Date> {
  let logged: RetentionClock['heldBy'];
  return async () => {
    const clock = await readRetentionClock(db);
    const { heldBy, reached } = clock;
    if (heldBy !== logged) {
      const about = { environment, database_time: clock.now, deleted_until: reached };
      if (heldBy === undefined) logger.info(about, 'Old data is deleted again.');
      else logger.error(about, explainHold(clock));
      logged = heldBy;
    }
    return reached;
  };
}

/** Why no old data is deleted, and what ends that. */
export function explainHold({ heldBy, now, reached, wait = 0 }: RetentionClock): string {
  if (heldBy === 'clocks') {
    return (
      `Old data is not deleted: this process's clock (${new Date().toISOString()}) and the database's ` +
      `(${now.toISOString()}) differ by more than an hour. Set the wrong clock.`
    );
  }
  return (
    `Old data is not deleted: the database's clock is ${lengthOf(now.getTime() - reached.getTime())} later than when old data ` +
    `was last deleted. If the clock is wrong, set it. If it is right, wait: deletion continues when the service has run for ` +
    `another ${lengthOf(wait)}. Or run lead-pipeline retention release.`
  );
}

/** `3 days`: rounded down to the largest unit. */
function lengthOf(milliseconds: number): string {
  const [unit, size] =
    milliseconds >= DAY ? ['day', DAY] : milliseconds >= HOUR ? ['hour', HOUR] : ['minute', MINUTE];
  const count = Math.floor(milliseconds / (size as number));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
