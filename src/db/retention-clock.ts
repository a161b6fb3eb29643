import { DAY, HOUR, SECOND } from '../values/time.ts';
import { type Db, one } from './db.ts';
import { sql } from './query.ts';

/** Longest time between two runs that needs no explanation. Longer ones are a jump: of the clock, or by a stop or a restore. */
const MAX_STEP = DAY;
/** How long the service runs after a jump before it deletes again. */
const JUMP_WAIT = DAY;
/** Of a longer pause between two checks, this much counts as running time. */
const MAX_PAUSE = HOUR;
/** How far the clocks of a process and of the database may be apart. */
const MAX_DIFFERENCE = HOUR;
/** Minimum time between two updates of the row. */
const PRECISION = SECOND;

/** Times in milliseconds. */
export interface RetentionState {
  /** Rows that had expired by then may be deleted. */
  reached: number;
  checkedAt: number;
  /** How long the service has run since it noticed a jump. Null if nothing holds the deletion back. */
  waited: number | null;
}

export interface RetentionClock {
  /** Rows that had expired by then may be deleted. */
  reached: Date;
  /** The database's clock. */
  now: Date;
  /** Why `reached` stands still: the clocks differ, or the database's clock jumped. */
  heldBy?: 'clocks' | 'jump';
  /** Milliseconds until a jump is accepted. */
  wait?: number;
}

/**
 * Lets time pass. The database's clock may be wrong, and what is deleted is lost. So a jump waits until the service has run
 * for a day, and is forgotten if the clock is set back meanwhile.
 */
export function advance({ reached, checkedAt, waited }: RetentionState, now: number): RetentionState {
  if (now - reached <= MAX_STEP) return { reached: now, checkedAt: now, waited: null };
  const total = waited === null ? 0 : waited + Math.min(Math.max(now - checkedAt, 0), MAX_PAUSE);
  if (total >= JUMP_WAIT) return { reached: now, checkedAt: now, waited: null };
  return { reached, checkedAt: now, waited: total };
}

/**
 * Lets time pass by the database's clock, and says up to when rows may be deleted. All processes share one row. While this
 * process's clock differs from the database's, one of them is wrong, and time stands still.
 */
export async function readRetentionClock(db: Db, processNow = Date.now()): Promise<RetentionClock> {
  return db.transaction(async (trx) => {
    const { now, ...before } = await lockState(trx);
    const shown = { now: new Date(now), reached: new Date(before.reached) };
    if (Math.abs(processNow - now) > MAX_DIFFERENCE) return { ...shown, heldBy: 'clocks' };
    const passed = now - before.checkedAt;
    const after = passed >= 0 && passed < PRECISION ? before : advance(before, now);
    if (after !== before) await storeState(trx, after);
    const { reached, waited } = after;
    if (waited === null) return { ...shown, reached: new Date(reached) };
    return { ...shown, heldBy: 'jump', wait: JUMP_WAIT - waited };
  });
}

/** Accepts a jump without waiting. */
export async function acceptJump(db: Db): Promise<void> {
  await db.run(
    sql`update retention_clock set reached = clock_timestamp(), checked_at = clock_timestamp(), waited = null`,
  );
}

async function lockState(trx: Db): Promise<RetentionState & { now: number }> {
  const row = await one(
    trx,
    sql<{ reached: string; checked_at: string; waited: string | null; now: string }>`
      select reached, checked_at, waited, clock_timestamp()::timestamptz(3) as now from retention_clock for update`,
  );
  return {
    reached: Date.parse(row.reached),
    checkedAt: Date.parse(row.checked_at),
    waited: row.waited === null ? null : Number(row.waited),
    now: Date.parse(row.now),
  };
}

async function storeState(trx: Db, { reached, checkedAt, waited }: RetentionState): Promise<void> {
  await trx.run(sql`
    update retention_clock set reached = ${new Date(reached).toISOString()},
      checked_at = ${new Date(checkedAt).toISOString()}, waited = ${waited}`);
}
