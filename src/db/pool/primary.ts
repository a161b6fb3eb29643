import { StandbyError } from './connection.ts';
import type { Prove } from './prove.ts';
import { askServer, type Server } from './server.ts';

/** A server that goes on as a primary after a failover: what it takes is lost. */
export class FormerPrimaryError extends StandbyError {
  override name = 'FormerPrimaryError';
  override message = 'The database server is a former primary: another one has taken over.';
}

/** A server that does not say within so many milliseconds what it is, is not read. */
const ANSWER_TIMEOUT = 1_000;

export type Primary = ReturnType<typeof createPrimary>;

/**
 * Knows which server is the primary. A failover that leaves old connections open breaks none of them, and each would go on
 * to read and write what nobody else sees. So each connection is checked when it is new and now and then, and all of those
 * of a database share what they learn.
 */
export function createPrimary() {
  let current: Server | undefined;
  const observers = new Set<() => void>();

  /** Throws if the server is not the primary (any more). A new connection is led to the one that counts. */
  function check(server: Server, isNew = false): void {
    if (server.isStandby) throw new StandbyError();
    if (current === undefined) current = server;
    if (isSamePrimary(server, current)) return;
    // Each failover begins a timeline with a higher number. Those of another cluster, such as a restored dump, don't compare.
    const hasTakenOver = server.cluster === current.cluster ? server.timeline > current.timeline : isNew;
    if (!hasTakenOver) throw new FormerPrimaryError();
    current = server;
    for (const observe of observers) observe();
  }

  /** For a new connection outside of a pool. */
  const prove: Prove = (connection) => {
    const asked = askServer(connection, ANSWER_TIMEOUT);
    asked.catch(() => undefined);
    return async () => check(await asked, true);
  };

  return {
    check,
    prove,
    isFormer: (server: Server) => current !== undefined && !isSamePrimary(server, current),
    /** Calls back when another server has taken over. */
    onChange(observe: () => void): void {
      observers.add(observe);
    },
  };
}

function isSamePrimary(one: Server, other: Server): boolean {
  return one.cluster === other.cluster && one.timeline === other.timeline;
}
