import type pg from 'pg';

/**
 * Asks the server of a connection whether it may be read, before a transaction begins. The result is called right after
 * `begin`, and rejects if it must not be.
 */
export type Prove = (connection: pg.ClientBase) => () => Promise<void>;

/** The server of this connection lacks too much, or is not what it should be. */
export class StaleReplicaError extends Error {
  override name = 'StaleReplicaError';
  /** PostgreSQL's for a server that is not in the state it should be. */
  readonly code = '55000';
}
