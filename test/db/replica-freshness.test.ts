import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Server } from '../../src/db/pool/server.ts';
import { createFreshness, UNKNOWN } from '../../src/db/replica/freshness.ts';

const BEHIND = 'It is more than a second behind.';

let freshness: ReturnType<typeof createFreshness>;
let wasUsed: boolean;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  freshness = createFreshness();
  wasUsed = false;
});

afterEach(() => void vi.useRealTimers());

/** Advances the clock. Milliseconds. */
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

function server(position: number, changes: Partial<Server> = {}): Server {
  return {
    cluster: 'one',
    database: '5',
    timeline: 1,
    isStandby: false,
    position: String(position),
    address: '10.0.0.1:5432',
    startedAt: '2026-11-20',
    keepsRows: true,
    version: 18,
    ...changes,
  };
}

/** The primary is at this position now. */
const sample = (position: number, changes?: Partial<Server>) =>
  freshness.sample(performance.now(), server(position, changes));

/** Why a replica at this position must not be read. */
function faultAt(position: number, changes?: Partial<Server>): string | undefined {
  const fault = freshness.faultOf(server(position, { isStandby: true, ...changes }), wasUsed);
  wasUsed = fault === undefined;
  return fault;
}

describe('a replica', () => {
  it('may be read for a second after the primary was where it is now', () => {
    expect(faultAt(100)).toBe('The primary does not answer.');
    sample(100);
    expect(faultAt(100)).toBeUndefined();
    pass(999);
    expect(faultAt(100)).toBeUndefined();
    pass(1);
    expect(faultAt(100)).toBe(BEHIND);
  });

  it('that is behind is read again when it lags by half a second only', () => {
    for (let position = 100; position <= 800; position += 100) {
      sample(position);
      pass(200);
    }
    expect(faultAt(100)).toBe(BEHIND);
    expect(faultAt(500)).toBe(BEHIND);
    expect(faultAt(700)).toBeUndefined();
    expect(faultAt(500)).toBeUndefined();
    expect(faultAt(400)).toBe(BEHIND);
  });

  it.each<[string, Partial<Server>, string]>([
    ['has become a primary', { isStandby: false }, 'It is not a standby.'],
    ['belongs to another cluster', { cluster: 'two' }, 'It is a replica of another database.'],
    ['has another database', { database: '6' }, 'It is a replica of another database.'],
    ['follows a former primary', { timeline: 0 }, 'It has not followed the last failover yet.'],
  ])('that %s is not read', (_what, changes, reason) => {
    sample(100);
    expect(faultAt(200, changes)).toBe(reason);
  });

  it('is not reported as behind before it was compared for a second, or after a pause', () => {
    for (const start of [100, 1_000]) {
      sample(start);
      expect(faultAt(start - 10)).toBe(UNKNOWN);
      expect(faultAt(start)).toBeUndefined();
      pass(60_000);
    }
  });

  it("is not measured by a former primary's writes", () => {
    sample(500);
    sample(300, { timeline: 2 });
    expect(faultAt(400)).toBe('It has not followed the last failover yet.');
    expect(faultAt(250, { timeline: 2 })).toBe(UNKNOWN);
    expect(faultAt(300, { timeline: 2 })).toBeUndefined();
  });
});
