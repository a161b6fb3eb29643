import { Problem } from '../../problem.ts';

/** Maximum wait for bytes. Milliseconds. */
const QUEUE_TIMEOUT = 10_000;

interface Waiting {
  bytes: number;
  start: () => void;
}

/** Takes bytes as soon as they are free, and returns how to give them back. Rejects with 503 if the wait times out. */
export type ByteBudget = (bytes: number) => Promise<() => void>;

/** Bounds how many bytes are in use at a time. Who came first is served first. More than `limit` are given alone. */
export function createByteBudget(limit: number): ByteBudget {
  let used = 0;
  const queue = new Set<Waiting>();

  function serve(): void {
    for (const waiting of queue) {
      if (used > 0 && used + waiting.bytes > limit) return;
      queue.delete(waiting);
      used += waiting.bytes;
      waiting.start();
    }
  }

  return (bytes) =>
    new Promise((resolve, reject) => {
      const waiting = {
        bytes,
        start: () => {
          clearTimeout(timer);
          let isHeld = true;
          resolve(() => {
            if (!isHeld) return;
            isHeld = false;
            used -= bytes;
            serve();
          });
        },
      };
      const timer = setTimeout(() => {
        queue.delete(waiting);
        // Those behind may need fewer bytes.
        serve();
        reject(overloaded());
      }, QUEUE_TIMEOUT);
      queue.add(waiting);
      serve();
    });
}

function overloaded(): Problem {
  return new Problem(
    'unavailable',
    'The service is busy with other large requests. Try again shortly, or send smaller batches.',
  );
}
