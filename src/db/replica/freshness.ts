/** Milliseconds that a replica may lag behind the primary. */
const MAX_LAG = 1_000;
/** Before it is used again, it may lag by less: otherwise it might be left and used again with each write. */
const MAX_LAG_TO_RETURN = 500;
/** Positions of the primary to compare with: those of the last few seconds. */
const MAX_SAMPLES = 20;
/** Milliseconds after the start in which a replica may begin to be used, before it is told why it is not. */
const START = 3_000;

/** Told when a replica begins to be used, and with the reason when it no longer is. */
export type OnReplicaChange = (isUsed: boolean, reason?: string) => void;

/**
 * Knows what a replica has: everything that was committed before a moment at which the primary was at a position of its
 * log that the replica has reached. Only the clock of this process counts, so a replica that no longer receives anything
 * is noticed, whatever it says about itself.
 */
export function createFreshness(onChange: OnReplicaChange) {
  /** Positions of the primary that the replica has not reached yet, the oldest first. */
  const ahead: { at: number; position: bigint }[] = [];
  /** When readers last learned of something, the longest ago first, as far as the replica may not have it yet. */
  const knownAt = new Map<string, number>();
  const startedAt = performance.now();
  let provenAt = Number.NEGATIVE_INFINITY;
  let isUsed = false;
  let told: boolean | undefined;

  function use(used: boolean, reason: string): void {
    isUsed = used;
    const isStarting = told === undefined && !used && performance.now() - startedAt < START;
    if (used === told || isStarting) return;
    told = used;
    onChange(used, used ? undefined : reason);
  }

  return {
    /** The primary was at this position, at this moment or later. */
    sample(at: number, position: bigint): void {
      if (ahead.length === MAX_SAMPLES) ahead.shift();
      ahead.push({ at, position });
    },
    /** The replica has everything up to this position. */
    reached(position: bigint): void {
      while (ahead[0] !== undefined && ahead[0].position <= position) {
        provenAt = ahead[0].at;
        ahead.shift();
      }
      for (const [reader, at] of knownAt) {
        if (at > provenAt) break;
        knownAt.delete(reader);
      }
      const lag = ahead[0] === undefined ? 0 : performance.now() - ahead[0].at;
      use(lag < (isUsed ? MAX_LAG : MAX_LAG_TO_RETURN), 'It is more than a second behind.');
    },
    /** The replica can't be used. */
    refuse(reason: string): void {
      provenAt = Number.NEGATIVE_INFINITY;
      use(false, reason);
    },
    isUsed: () => isUsed,
    /** Whether the replica has all that this reader (any name) knows of, and of others' changes all but the last second's. */
    isCurrentFor(reader: string | null): boolean {
      const known = reader === null ? undefined : knownAt.get(reader);
      return isUsed && performance.now() - provenAt < MAX_LAG && (known === undefined || known <= provenAt);
    },
    /** The reader knows of all that is committed by now, such as its own writes. */
    catchUpFor(reader: string): void {
      // At the end of the map again.
      knownAt.delete(reader);
      knownAt.set(reader, performance.now());
    },
  };
}
