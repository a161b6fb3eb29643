import { setTimeout as sleep } from 'node:timers/promises';

/** What is written at once. */
const MOST = 100;
/** Between two tries, as long as the database can't be reached (milliseconds). */
const RETRY = 250;
/** Then the job is somebody else's, and what is known of it is worth nothing (milliseconds). */
const GIVE_UP = 30_000;

export interface Recorder<T> {
  /** Resolves when it is written, or when it is too late for that. */
  record(item: T): Promise<void>;
  /** Tries no more. */
  close(): void;
}

/** Writes what has gathered while the last write was under way: at a high rate many together, at a low one at once. */
export function createRecorder<T>(
  write: (items: T[]) => Promise<void>,
  onError: (error: unknown) => void,
): Recorder<T> {
  const waiting: { item: T; since: number; done: () => void }[] = [];
  let isWriting = false;
  let closed = false;

  async function flush(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0 && !closed) {
      const batch = waiting.slice(0, MOST);
      const isWritten = await write(batch.map(({ item }) => item)).then(
        () => true,
        (error) => onError(error),
      );
      const isOver = isWritten || performance.now() - (batch[0]?.since ?? 0) > GIVE_UP;
      if (isOver) for (const { done } of waiting.splice(0, batch.length)) done();
      else await sleep(RETRY);
    }
    isWriting = false;
  }

  return {
    record: (item) =>
      new Promise((resolve) => {
        waiting.push({ item, since: performance.now(), done: resolve });
        if (!isWriting) void flush();
      }),
    close() {
      closed = true;
    },
  };
}
