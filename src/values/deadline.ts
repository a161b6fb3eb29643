/** The operation timed out. `code` is that of a network timeout. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';
}

/** The end of the time for some work. */
export class Deadline {
  readonly #time: number;
  readonly #end: number;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#time = milliseconds;
    this.#end = performance.now() + milliseconds;
  }

  /** Milliseconds. Negative once the time is over. */
  get left(): number {
    return this.#end - performance.now();
  }

  /** Aborts with a TimeoutError when the time is over, unless clear() is called before. */
  get signal(): AbortSignal {
    this.#controller ??= this.#start(new AbortController());
    return this.#controller.signal;
  }

  /** Throws once the time is over. */
  check(): void {
    if (this.left < 0) throw this.#late();
  }

  /** Rejects with a TimeoutError when the time is over. Does not cancel the work. */
  async race<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this;
    let end = () => {};
    const over = new Promise<never>((_resolve, reject) => {
      end = () => reject(signal.reason);
    });
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      return await Promise.race([work, over]);
    } finally {
      signal.removeEventListener('abort', end);
      this.clear();
    }
  }

  /** From now on, the work may take as long as it takes. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#controller = undefined;
  }

  /** If the process itself was busy until the end, it first reads the data that has arrived meanwhile. */
  #start(controller: AbortController): AbortController {
    const abort = () =>
      setImmediate(() => {
        if (this.#controller === controller) controller.abort(this.#late());
      });
    // Rounded up, so that all requests share one of Node's lists of timers: creating a list takes 50 µs.
    if (Number.isFinite(this.#time)) this.#timer = setTimeout(abort, Math.ceil(Math.max(this.left, 0)));
    return controller;
  }

  #late(): TimeoutError {
    return new TimeoutError(`It took longer than ${this.#time} ms.`);
  }
}
