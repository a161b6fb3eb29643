import { TimeoutError } from '../db/pool/deadline.ts';

/** The time that a request has from its arrival, for waiting, for its transaction and for repeating it. */
export class Deadline {
  #end: number;
  #isCommitting = false;

  /** Milliseconds. */
  constructor(time: number) {
    this.#end = performance.now() + time;
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
      const end = () => {
        if (!this.#isCommitting) reject(new TimeoutError('The request took too long.'));
      };
      // A process that was busy for so long first reads what has arrived meanwhile.
      const timer = setTimeout(() => setImmediate(end), this.left);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
