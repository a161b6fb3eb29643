import { TimeoutError } from '../db/pool/deadline.ts';

/** The time that a request has from its arrival, for waiting, for its transaction and for repeating it. */
export class Deadline {
  readonly #end: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #isCommitting = false;
  #reject: (error: Error) => void = () => undefined;

  /**
   * Milliseconds. One timer per request, and the same time for all of them: Node keeps a list of timers per duration, and a
   * list for what is left after waiting would cost 50 µs.
   */
  constructor(time: number) {
    this.#end = performance.now() + time;
    // A process that was busy for so long first reads what has arrived meanwhile.
    if (Number.isFinite(time)) this.#timer = setTimeout(() => setImmediate(() => this.#expire()), time);
  }

  /** Milliseconds. Negative once the time is over. */
  get left(): number {
    return this.#end - performance.now();
  }

  /**
   * Throws if the time is over, since the client has then received 503. From now on the outcome is awaited, however long it
   * takes.
   */
  beginCommit(): void {
    if (this.left < 0) throw new TimeoutError('The request took too long.');
    this.#isCommitting = true;
  }

  /** Rejects when the time is over, unless a commit has begun. */
  limit<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.left < 0) this.#expire();
      work.then(resolve, reject);
    });
  }

  /** Call this when the request is over. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    if (!this.#isCommitting) this.#reject(new TimeoutError('The request took too long.'));
  }
}
