import type { Socket } from 'node:net';
import type { Request } from 'express';
import { Problem } from './problem.ts';

/** So many large answers are made at the same time: one reads while another writes, and each takes several times its size. */
const AT_ONCE = 2;
/** So many more requests wait for their turn, and so long (milliseconds). */
const MAX_WAITING = 500;
const PATIENCE = 10_000;
/** A longer page of a list is a large answer. */
const SHORT_PAGE = 20;

/**
 * Runs what makes a large answer for the connection when it is its turn. Rejects with 503 when too many wait, or it took
 * too long.
 */
export type Admit = <Result>(socket: Socket, make: () => Promise<Result>) => Promise<Result>;

export function createAdmission(): Admit {
  let running = 0;
  const waiting = new Set<() => void>();
  /** Each connection waits for one at a time: who sends many requests without reading takes no more turns than others. */
  const latest = new WeakMap<Socket, Promise<unknown>>();

  function turn(): Promise<void> {
    if (waiting.size >= MAX_WAITING) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(overloaded());
      }, PATIENCE);
      waiting.add(start);
    });
  }

  /** Whoever waits longest takes over the place. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  async function admit<Result>(make: () => Promise<Result>): Promise<Result> {
    if (running < AT_ONCE) running += 1;
    else await turn();
    try {
      return await make();
    } finally {
      leave();
    }
  }

  return (socket, make) => {
    const made = (latest.get(socket) ?? Promise.resolve()).then(() => admit(make));
    // Without its answer, which would be kept as long as the connection.
    latest.set(socket, made.then(forget, forget));
    return made;
  };
}

function forget(): void {}

/** Whether the answer may be large: by what the operation is, or by the length of the page that is asked for. */
export function mayBeLarge({ match, input }: Request): boolean {
  const { per_page = 0 } = input.query as { per_page?: number };
  return match.operation.largeAnswer || per_page > SHORT_PAGE;
}

function overloaded(): Problem {
  return new Problem(
    'unavailable',
    'Too many large answers are being made at the moment. Try again shortly, or ask for shorter pages.',
  );
}
