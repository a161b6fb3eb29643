import type { Server } from '../pool/server.ts';

/** Milliseconds that a replica may lag behind the primary. */
const MAX_LAG = 1_000;
/** Before it is used again, it may lag by less: otherwise it might be left and used again with each write. */
const MAX_LAG_TO_RETURN = 500;
/** Positions of the primary to compare with: those of the last few seconds. */
const MAX_SAMPLES = 20;

/** Nothing is wrong with the replica: it was not compared for long enough. */
export const UNKNOWN = 'It is not known yet how far it is.';

/**
 * Knows what a server that says how far it is lacks: it has everything that was committed before a moment at which the
 * primary was at a position of its log that the server has reached. Only the clock of this process counts, so a server
 * that no longer receives anything is noticed, whatever it says about itself.
 */
export function createFreshness() {
  /** Where the primary was, the oldest first. */
  let samples: { at: number; primary: Server }[] = [];

  return {
    /** The primary was there, at this moment or later. */
    sample(at: number, primary: Server): void {
      const [last] = samples.slice(-1);
      // After a failover, positions count anew. After a pause, nothing is known of the time between.
      if (last !== undefined && (!isSameHistory(last.primary, primary) || at - last.at > MAX_LAG))
        samples = [];
      if (samples.length === MAX_SAMPLES) samples.shift();
      samples.push({ at, primary });
    },
    /** Whether there is something recent to compare with. */
    isKnown(): boolean {
      const [last] = samples.slice(-1);
      return last !== undefined && performance.now() - last.at < MAX_LAG;
    },
    /** Why the server must not be read. Undefined if it has everything that was committed a second ago. */
    faultOf(replica: Server, wasUsed: boolean): string | undefined {
      const [last] = samples.slice(-1);
      if (last === undefined) return 'The primary does not answer.';
      const { cluster, database } = last.primary;
      if (cluster !== replica.cluster || database !== replica.database || cluster === '')
        return 'It is a replica of another database.';
      if (!replica.isStandby) return 'It is no standby.';
      if (!isSameHistory(last.primary, replica)) return 'It has not followed the last failover yet.';
      const reached = samples.findLast(({ primary }) => BigInt(primary.position) <= BigInt(replica.position));
      const lag = reached === undefined ? Number.POSITIVE_INFINITY : performance.now() - reached.at;
      if (lag < (wasUsed ? MAX_LAG : MAX_LAG_TO_RETURN)) return undefined;
      const isLong = performance.now() - (samples[0]?.at ?? 0) >= MAX_LAG;
      return isLong ? 'It is more than a second behind.' : UNKNOWN;
    },
  };
}

function isSameHistory(one: Server, other: Server): boolean {
  return one.cluster === other.cluster && one.timeline === other.timeline;
}
