import pg from 'pg';

/** How long the server may take to say goodbye (milliseconds). */
const FAREWELL = 1_000;

/** A connection whose end does not depend on the other side: a network that swallows packets answers nothing. */
export class Connection extends pg.Client {
  /** Of the server's process behind it. */
  declare readonly processID: number;

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    setTimeout(() => this.cut(), FAREWELL).unref();
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Ends it at once. Whoever waits for an answer gets the error. */
  cut(error?: Error): void {
    this.connection.stream.destroy(error);
  }
}
