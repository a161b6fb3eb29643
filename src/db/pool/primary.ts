import { StandbyError } from './connection.ts';
import { askServer, type Server } from './server.ts';

/** A server that still acts as a primary after a failover. Its writes are lost. */
class FormerPrimaryError extends StandbyError {
  override name = 'FormerPrimaryError';
  override message = 'The database server is a former primary: another one has taken over.';
}

/** A server that does not identify itself within this time is not read. As long as connecting may take. Milliseconds. */
const ANSWER_TIMEOUT = 5_000;

export type Primary = ReturnType<typeof createPrimary>;

/**
 * Knows which server is the primary. A failover may leave connections to the old primary open. They would go on to read and
 * write data that nobody else sees. So connections are checked when they are new, and again before use. All connections to a
 * database share this knowledge.
 */
export function createPrimary() {
  let current: Server | undefined;

  /** Throws if the server is not the primary, or no longer. */
  function check(server: Server, isNew = false): void {
    if (server.isStandby) throw new StandbyError();
    current ??= server;
    if (server.cluster === current.cluster && server.timeline === current.timeline) {
      current = server;
      return;
    }
    // Each failover starts a timeline with a higher number. Timelines of different clusters can't be compared, for example
    // after a dump was restored. Then new connections lead to the right cluster.
    const hasTakenOver = server.cluster === current.cluster ? server.timeline > current.timeline : isNew;
    if (!hasTakenOver) throw new FormerPrimaryError();
    current = server;
  }

  return {
    check,
    /** Whether connections currently lead to this database. */
    isAt: ({ cluster, database }: Server) => current?.cluster === cluster && current.database === database,
    /** Throws if a new connection outside the pool does not lead to the primary. */
    prove: async (connection: Parameters<typeof askServer>[0]) =>
      check(await askServer(connection, ANSWER_TIMEOUT), true),
  };
}
