/** An event that was committed. */
export interface Mark {
  /** UUID. */
  id: string;
  position: number;
}

/** How long marks are kept. A former primary may answer for some seconds after another server has taken over. Milliseconds. */
const MAX_AGE = 60_000;

/**
 * The last event that was committed over each connection, and so by each server. If a server that has taken over lacks
 * one of them, it has lost commits that clients were told of. The newest mark never expires: if that event exists, so
 * do all earlier ones.
 */
export function createMarks() {
  const marks = new Map<object, Mark & { at: number }>();

  return {
    set(connection: object, mark: Mark): void {
      marks.delete(connection);
      marks.set(connection, { ...mark, at: performance.now() });
    },
    /** The oldest first. */
    list(): Mark[] {
      const oldest = performance.now() - MAX_AGE;
      for (const [connection, { at }] of marks) if (at < oldest && marks.size > 1) marks.delete(connection);
      return [...marks.values()];
    },
    forget(lost: readonly Mark[]): void {
      const ids = new Set(lost.map(({ id }) => id));
      for (const [connection, { id }] of marks) if (ids.has(id)) marks.delete(connection);
    },
  };
}
