import type pg from 'pg';

/** Rejects if the server of a connection must not be read. Called in a transaction, before its first query. */
export type Prove = (connection: pg.ClientBase) => Promise<void>;

/** The server of this connection lags too far behind, or is not the expected replica. */
export class StaleReplicaError extends Error {
  override name = 'StaleReplicaError';
  /** PostgreSQL's code for something that is not in the required state. */
  readonly code = '55000';
}
