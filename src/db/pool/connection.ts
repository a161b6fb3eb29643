import pg from 'pg';
import type { Server } from './server.ts';

/** Milliseconds for a graceful disconnect. */
const END_TIMEOUT = 1_000;

/**
 * The URL of a primary leads to a standby, which may lack what was answered before, and knows nothing of running writes.
 * `code` is PostgreSQL's for a write on a standby.
 */
export class StandbyError extends Error {
  override name = 'StandbyError';
  override message = 'The database server is a standby, and not the primary.';
  readonly code = '25006';
}

/** A client whose end() does not depend on the server: a network that drops packets never answers. */
export class Connection extends pg.Client {
  /** pid of the server process behind the connection. */
  declare readonly processID: number;
  /** The server that the connection leads to, if it was asked. */
  server: Server | undefined;

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    setTimeout(() => this.terminate(), END_TIMEOUT).unref();
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Destroys the socket. Pending queries fail with the error. */
  terminate(error?: Error): void {
    this.connection.stream.destroy(error);
  }
}
