import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFreshness } from '../../src/db/replica/freshness.ts';

let freshness: ReturnType<typeof createFreshness>;
let told: (string | undefined)[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  told = [];
  freshness = createFreshness((isUsed, reason) => told.push(isUsed ? 'used' : reason));
});

afterEach(() => void vi.useRealTimers());

/** Milliseconds go by. */
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

/** The primary is at one position, and the replica at another. */
function compare(primary: number, replica = primary): void {
  freshness.sample(performance.now(), BigInt(primary));
  freshness.reached(BigInt(replica));
}

describe('a replica', () => {
  it('is used when it has reached a position of the primary, for a second', () => {
    expect(freshness.isCurrentFor('a')).toBe(false);
    compare(100);
    expect(freshness.isCurrentFor('a')).toBe(true);
    pass(999);
    expect(freshness.isCurrentFor('a')).toBe(true);
    pass(1);
    expect(freshness.isCurrentFor('a')).toBe(false);
  });

  it('is not used if it is behind, however often it says so, and is again when it has caught up', () => {
    compare(100);
    for (let position = 200; position < 800; position += 100) {
      pass(200);
      compare(position, 100);
    }
    expect(freshness.isCurrentFor('a')).toBe(false);
    expect(told).toEqual(['used', 'It is more than a second behind.']);
    pass(200);
    compare(900, 300);
    expect(freshness.isCurrentFor('a')).toBe(false);
    pass(200);
    compare(1000, 900);
    expect(freshness.isCurrentFor('a')).toBe(true);
    expect(told).toEqual(['used', 'It is more than a second behind.', 'used']);
  });

  it('is current for who has learned something when it has all that there was then', () => {
    compare(100);
    pass(1);
    freshness.catchUpFor('writer');
    expect(['writer', 'other', null].map(freshness.isCurrentFor)).toEqual([false, true, true]);
    pass(200);
    compare(300, 200);
    expect(freshness.isCurrentFor('writer')).toBe(false);
    pass(200);
    compare(300);
    expect(freshness.isCurrentFor('writer')).toBe(true);
  });

  it('that is refused from the start is told of once, after a few seconds', () => {
    for (let round = 0; round < 30; round += 1) {
      freshness.refuse('It is gone.');
      pass(200);
    }
    expect(told).toEqual(['It is gone.']);
    compare(100);
    expect(told).toEqual(['It is gone.', 'used']);
  });
});
