import { Socket } from 'node:net';
import pg from 'pg';

/** Milliseconds for a graceful disconnect. */
const END_TIMEOUT = 1_000;

/**
 * The database URL leads to a standby, which may lack recent writes and does not know which transactions are running.
 * `code` is PostgreSQL's for a write on a standby.
 */
export class StandbyError extends Error {
  override name = 'StandbyError';
  override message = 'The database server is a standby, and not the primary.';
  readonly code = '25006';
}

/** A client whose end() does not depend on the server. pg's own waits forever if the network drops packets. */
export class Connection extends pg.Client {
  /** pid of the server process behind the connection. */
  declare readonly processID: number;
  readonly #socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, keepAlive: true, keepAliveInitialDelayMillis: 10_000, stream: () => socket });
    this.#socket = socket;
    // Without a listener, the error would end the process. The query that uses the connection reports it anyway.
    this.on('error', () => undefined);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    setTimeout(() => this.terminate(), END_TIMEOUT).unref();
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Closes the connection immediately. Pending queries fail. */
  terminate(): void {
    this.#socket.destroy();
  }
}
