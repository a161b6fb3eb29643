import type pg from 'pg';
import { Connection } from './connection.ts';

/**
 * Part of the wait for a connection after which an attempt to connect has failed: when an outage ends, the next one may
 * still succeed.
 */
const CONNECT_SHARE = 0.6;
/** PostgreSQL gets more than this at once, and works on it while the service goes on. Bytes. */
const MAX_HELD_BACK = 16 * 1024;

/** A connection that the pool opens. */
export class PooledConnection extends Connection {
  #isCorked = false;

  constructor(config: pg.PoolConfig = {}) {
    super({ ...config, connectionTimeoutMillis: CONNECT_SHARE * (config.connectionTimeoutMillis ?? 0) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: there are seven signatures, and it makes no difference which.
  override query(...args: any): any {
    this.#cork();
    const result = super.query(...(args as [string]));
    if (this.connection.stream.writableLength > MAX_HELD_BACK) this.#uncork();
    return result;
  }

  /** What is sent until the end of this turn of the event loop goes out at once, as `begin` and the first statement do. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.connection.stream.cork();
    process.nextTick(() => this.#uncork());
  }

  #uncork(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.connection.stream.uncork();
  }
}
