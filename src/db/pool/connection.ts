import pg from 'pg';

/** Milliseconds for a graceful disconnect. */
const END_TIMEOUT = 1_000;

/** A client whose end() does not depend on the server: a network that drops packets never answers. */
export class Connection extends pg.Client {
  /** pid of the server process behind the connection. */
  declare readonly processID: number;

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
