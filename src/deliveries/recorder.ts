import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum items per write. */
const MAX_BATCH = 100;
/** Milliseconds between attempts while the database is unreachable. */
const RETRY_DELAY = 250;
/**
 * Milliseconds. By then, any other worker that reaches the database has taken over the delivery. If no worker reaches it,
 * an outage of this length doesn't cause duplicate deliveries.
 */
const MAX_AGE = 120_000;

/** Writes in batches the items that arrive during a write: large batches at a high rate, immediate writes at a low one. */
export function createRecorder<T>(write: (items: T[]) => Promise<void>, onError: (error: unknown) => void) {
  const waiting: { item: T; since: number; done: () => void }[] = [];
  let isWriting = false;
  let closed = false;

  async function flush(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0 && !closed) {
      const batch = waiting.slice(0, MAX_BATCH);
      const isWritten = await write(batch.map(({ item }) => item)).then(
        () => true,
        (error) => onError(error),
      );
      const isDone = isWritten || performance.now() - (batch[0]?.since ?? 0) > MAX_AGE;
      if (isDone) for (const { done } of waiting.splice(0, batch.length)) done();
      else await sleep(RETRY_DELAY);
    }
    isWriting = false;
  }

  return {
    /** Resolves when the item is written, or when it is too old for that. Never rejects. */
    record: (item: T) =>
      new Promise<void>((resolve) => {
        waiting.push({ item, since: performance.now(), done: resolve });
        if (!isWriting) void flush();
      }),
    /** Stops retrying. */
    close() {
      closed = true;
    },
  };
}
