import type { Server } from '../pool/server.ts';

/** Maximum lag behind the primary. Milliseconds. */
const MAX_LAG = 1_000;
/** Maximum lag before a replica is used again. Lower, so that it doesn't alternate with every write. */
const MAX_LAG_TO_RETURN = 500;
/** Positions of the primary to keep, enough for the last few seconds. */
const MAX_SAMPLES = 20;

/** Not a fault of the replica: it has not been compared for long enough yet. */
export const UNKNOWN = 'Its lag is not known yet.';

/**
 * Measures a replica's lag from its WAL position. If the primary was at this position at some moment, the replica has
 * everything committed before that moment. Uses only this process's clock, so it also notices a replica that receives
 * nothing any more, whatever it reports about itself.
 */
export function createFreshness() {
  /** Positions of the primary, oldest first. */
  let samples: { at: number; primary: Server }[] = [];

  return {
    /** Records that the primary was at this position, at this moment or later. */
    sample(at: number, primary: Server): void {
      const [last] = samples.slice(-1);
      // Positions from before a failover can't be compared. After a pause, the time in between is unknown.
      if (last !== undefined && (!isSameHistory(last.primary, primary) || at - last.at > MAX_LAG))
        samples = [];
      if (samples.length === MAX_SAMPLES) samples.shift();
      samples.push({ at, primary });
    },
    /** Whether there is a recent position to compare with. */
    isKnown(): boolean {
      const [last] = samples.slice(-1);
      return last !== undefined && performance.now() - last.at < MAX_LAG;
    },
    /** Why the server must not be read. Undefined if it has everything committed a second ago. */
    faultOf(replica: Server, wasUsed: boolean): string | undefined {
      const [last] = samples.slice(-1);
      if (last === undefined) return 'The primary does not answer.';
      const { cluster, database } = last.primary;
      if (cluster !== replica.cluster || database !== replica.database || cluster === '')
        return 'It is a replica of another database.';
      if (!replica.isStandby) return 'It is not a standby.';
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
