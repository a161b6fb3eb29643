import type { Socket } from 'node:net';
import type { Request } from 'express';
import { Problem } from '../../problem.ts';
import { createSlots } from './slots.ts';

/** Maximum large responses built at once: one reads while another writes, and each takes several times its size in memory. */
const MAX_CONCURRENT = 4;
/** Maximum requests that wait for a slot. */
const MAX_QUEUED = 500;
/** A list page with more rows than this counts as a large response. */
const MAX_SMALL_PAGE = 20;

/**
 * Returns a function that runs a task that builds a large response, as soon as a slot is free. It rejects with 503 if the
 * queue is full or the wait times out.
 */
export function createAdmission() {
  const slots = createSlots({ concurrent: MAX_CONCURRENT, queued: MAX_QUEUED, overloaded });
  /** Last task per connection. Each connection queues one at a time, so that pipelining requests gains no extra slots. */
  const latest = new WeakMap<Socket, Promise<unknown>>();

  return <Result>(socket: Socket, task: () => Promise<Result>, isResumed = false): Promise<Result> => {
    const result = (latest.get(socket) ?? Promise.resolve()).then(() => slots.admit(task, isResumed));
    // Without its value: the response would stay in memory as long as the connection.
    latest.set(socket, result.then(forget, forget));
    return result;
  };
}

function forget(): void {}

/** Whether the response may be large, judging by the operation and the requested page size. */
export function mayBeLarge({ match, input }: Request): boolean {
  const { per_page = 0 } = input.query as { per_page?: number };
  return match.operation.largeAnswer || per_page > MAX_SMALL_PAGE;
}

function overloaded(): Problem {
  return new Problem(
    'unavailable',
    'The service is busy with other large answers. Try again shortly, or ask for smaller pages.',
  );
}
