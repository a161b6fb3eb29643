import { write, writeSync } from 'node:fs';

/** How long lines are collected: one write per request would cost as much as creating its line. Milliseconds. */
const INTERVAL = 20;
/** Maximum characters to buffer while they can't be written, for example to a full disk. Further lines are lost. */
const MAX_WAITING = 4 * 2 ** 20;
/** How long an exit waits for the reader of a full pipe. Milliseconds. */
const EXIT_TIMEOUT = 1_000;

/**
 * A destination for pino that writes lines in the background. Retries lines that can't be written. `onLost` is called with
 * the number of lost lines as soon as lines can be written again.
 *
 * At exit it writes the remaining lines, but gives up if the disk is full. `pino.destination` would repeat a write that fails
 * with ENOSPC forever (sonic-boom 4.2.1, `flushSync`), so that a service whose disk is full couldn't stop.
 */
export function createLineWriter(fd: number, onLost: (lines: number) => void): { write(line: string): void } {
  let waiting = '';
  /** The part of earlier lines that is not written yet. */
  let unfinished: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isScheduled = false;
  let lost = 0;

  function take(): Buffer {
    if (unfinished.length === 0) {
      unfinished = Buffer.from(waiting);
      waiting = '';
    }
    return unfinished;
  }

  function flush(): void {
    isScheduled = false;
    isWriting = true;
    write(fd, take(), (error, written) => {
      isWriting = false;
      if (error === null) unfinished = unfinished.subarray(written);
      if (lost > 0 && unfinished.length === 0) {
        onLost(lost);
        lost = 0;
      }
      schedule();
    });
  }

  function schedule(): void {
    if (isWriting || isScheduled || waiting.length + unfinished.length === 0) return;
    isScheduled = true;
    setTimeout(flush, INTERVAL).unref();
  }

  process.once('exit', () => {
    // A write that is running finishes in its own thread.
    if (isWriting) unfinished = Buffer.alloc(0);
    const until = performance.now() + EXIT_TIMEOUT;
    while (take().length > 0) {
      try {
        unfinished = unfinished.subarray(writeSync(fd, unfinished));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, INTERVAL);
      }
    }
  });

  return {
    write(line) {
      if (waiting.length + unfinished.length > MAX_WAITING) lost += 1;
      else waiting += line;
      schedule();
    },
  };
}
