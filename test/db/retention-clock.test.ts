import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import {
  acceptJump,
  advance,
  type RetentionState,
  readRetentionClock,
} from '../../src/db/retention-clock.ts';
import { DAY, HOUR, MINUTE } from '../../src/values/time.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const START = Date.parse('2026-11-27T12:00:00.000Z');
const running: RetentionState = { reached: START, checkedAt: START, waited: null };

/** Checks every ten minutes for this long, with a clock that goes right from `now` on. */
function run(state: RetentionState, now: number, length: number): RetentionState {
  let current = state;
  for (let passed = 0; passed <= length; passed += 10 * MINUTE) current = advance(current, now + passed);
  return current;
}

describe('the clock by which old data is deleted', () => {
  it('follows the database’s clock, also after a stop of a day', () => {
    expect(advance(running, START + MINUTE).reached).toBe(START + MINUTE);
    expect(advance(running, START + DAY).reached).toBe(START + DAY);
  });

  it('stands still after a longer jump, and follows it when the service has run for a day', () => {
    const later = START + 100 * DAY;
    const waiting = run(running, later, DAY - 10 * MINUTE);
    expect(waiting).toMatchObject({ reached: START, waited: DAY - 10 * MINUTE });
    expect(advance(waiting, later + DAY)).toMatchObject({ reached: later + DAY, waited: null });
  });

  it('does not count the time in which the service was stopped, or that another jump skipped', () => {
    const later = START + 100 * DAY;
    const waiting = run(running, later, 2 * HOUR);
    const again = advance(waiting, later + 50 * DAY);
    expect(again).toMatchObject({ reached: START, waited: 3 * HOUR });
    expect(run(again, later + 50 * DAY, 20 * HOUR).reached).toBe(START);
  });

  it('keeps waiting when the clock is set back a little, such as by a failover', () => {
    const waiting = run(running, START + 100 * DAY, 2 * HOUR);
    const after = advance(waiting, waiting.checkedAt - 500);
    expect(after).toMatchObject({ reached: START, waited: 2 * HOUR });
  });

  it('forgets a jump when the clock is right again', () => {
    const waiting = run(running, START + 100 * DAY, HOUR);
    expect(advance(waiting, START + HOUR)).toMatchObject({ reached: START + HOUR, waited: null });
  });

  it('goes back with a clock that was ahead', () => {
    const past = START - 100 * DAY;
    const back = advance(running, past);
    expect(back.reached).toBe(past);
    expect(advance(back, START)).toMatchObject({ reached: past, waited: 0 });
  });
});

describe('its row in the database', () => {
  let database: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    database = await createTestDatabase();
    db = new Database(database.url, 4);
  });
  afterEach(async () => {
    await db.close();
    await database.drop();
  });

  /** As if the database's clock were this much later than at the last run. */
  const jump = (days: number) =>
    db.run({
      text: `update retention_clock set reached = reached - make_interval(days => $1),
        checked_at = checked_at - make_interval(days => $1)`,
      values: [days],
    });

  it('is up to date in a new database', async () => {
    const { reached, now, heldBy } = await readRetentionClock(db);
    expect(heldBy).toBeUndefined();
    expect(now.getTime() - reached.getTime()).toBeLessThan(5_000);
  });

  it.each([-100, 100])('stands still for a process whose clock is wrong by %d days', async (days) => {
    const before = await readRetentionClock(db);
    await db.run({ text: `update retention_clock set reached = reached - interval '1 hour'`, values: [] });
    const { reached, heldBy } = await readRetentionClock(db, Date.now() + days * DAY);
    expect(heldBy).toBe('clocks');
    expect(reached.getTime()).toBeLessThan(before.now.getTime() - HOUR + MINUTE);
  });

  it('is the same for all processes: ten that notice a jump together wait once', async () => {
    await jump(100);
    const read = await Promise.all(Array.from({ length: 10 }, () => readRetentionClock(db)));
    expect(new Set(read.map(({ heldBy }) => heldBy))).toEqual(new Set(['jump']));
    expect(new Set(read.map(({ reached }) => reached.getTime())).size).toBe(1);
    for (const { wait = 0 } of read) expect(wait).toBeGreaterThan(DAY - MINUTE);
  });

  it('follows a jump that the operator accepts', async () => {
    await jump(100);
    await readRetentionClock(db);
    await acceptJump(db);
    const { reached, now, heldBy } = await readRetentionClock(db);
    expect(heldBy).toBeUndefined();
    expect(now.getTime() - reached.getTime()).toBeLessThan(5_000);
  });
});
