/** The operation timed out. `code` is that of a network timeout. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';
}

/**
 * Rejects with TimeoutError after `milliseconds`. Does not cancel the work. If the process itself was busy for that long, it
 * first reads the data that has arrived meanwhile.
 */
export function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new TimeoutError(`No answer within ${milliseconds} ms.`));
    const timer = setTimeout(() => setImmediate(end), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
