import type { Problem } from '../../problem.ts';

/** Maximum wait for a slot. Milliseconds. */
const QUEUE_TIMEOUT = 10_000;

interface SlotOptions {
  /** Maximum tasks that run at the same time. */
  concurrent: number;
  /** Maximum tasks that wait for a slot. */
  queued: number;
  /** The 503 of a task that finds the queue full or has waited too long. */
  overloaded: () => Problem;
}

export type Slots = ReturnType<typeof createSlots>;

/** Runs a few tasks at a time, in the order in which they arrive. */
export function createSlots({ concurrent, queued, overloaded }: SlotOptions) {
  let running = 0;
  const queue = new Set<() => void>();

  function waitForSlot(isResumed: boolean): Promise<void> {
    if (queue.size >= queued && !isResumed) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(start);
        reject(overloaded());
      }, QUEUE_TIMEOUT);
      queue.add(start);
    });
  }

  /** Hands the slot to the task that has waited longest. */
  function releaseSlot(): void {
    const [next] = queue;
    if (next === undefined) {
      running -= 1;
      return;
    }
    queue.delete(next);
    next();
  }

  return {
    isIdle: () => running === 0,
    /** A resumed task has run before. However many resume at the same time, they find room in the queue. */
    async admit<Result>(task: () => Promise<Result>, isResumed = false): Promise<Result> {
      if (running < concurrent) running += 1;
      else await waitForSlot(isResumed);
      try {
        return await task();
      } finally {
        releaseSlot();
      }
    },
  };
}
