import type { Request } from 'express';
import type { RateLimitClass } from '../../../generated/operations.ts';
import { Problem } from '../../problem.ts';
import { classOf } from './rate-limit.ts';
import { createSlots, type Slots } from './slots.ts';

/** Maximum heavy requests of one client that run at the same time, so that they leave connections to others. */
const MAX_CONCURRENT = 3;
/** Maximum heavy requests of one client that wait for their turn. */
const MAX_QUEUED = 50;

/** The classes whose requests may read a whole table. */
const heavyClasses: ReadonlySet<RateLimitClass> = new Set<RateLimitClass>(['search', 'analytics']);

/** A page after this many items counts as a search. */
const MAX_SKIPPED = 1_000;

/** Whether the request is a search, a report, or for a page far from the first one. */
export function isHeavy(req: Request): boolean {
  const { page = 1, per_page = 0 } = req.input.query as { page?: number; per_page?: number };
  return heavyClasses.has(classOf(req)) || (page - 1) * per_page > MAX_SKIPPED;
}

/** Returns a function that runs a client's heavy requests a few at a time. It rejects with 503 if too many wait. */
export function createClientTurns() {
  const clients = new Map<string, Slots>();
  return async <Result>({ context, principal }: Request, task: () => Promise<Result>): Promise<Result> => {
    const client = `${context.environment} ${principal.clientId}`;
    const slots =
      clients.get(client) ?? createSlots({ concurrent: MAX_CONCURRENT, queued: MAX_QUEUED, overloaded });
    clients.set(client, slots);
    try {
      return await slots.admit(task);
    } finally {
      if (slots.isIdle()) clients.delete(client);
    }
  };
}

function overloaded(): Problem {
  return new Problem(
    'unavailable',
    `Your client already runs ${MAX_CONCURRENT} searches, reports or deep pages. Wait for their answers before you send more.`,
  );
}
