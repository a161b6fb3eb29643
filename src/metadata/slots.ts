import { invalidField } from '../problem.ts';
import type { Declared } from './declared.ts';

/** Indexed keys of one resource: each has a column of its own. */
const MAX_INDEXED = 10;

/** The number of a column without a key. Throws 422 if there is none. */
export function freeSlot(declared: Declared): number {
  const taken = new Set([...declared.values()].map(({ slot }) => slot));
  const free = Array.from({ length: MAX_INDEXED }, (_, index) => index + 1).find((slot) => !taken.has(slot));
  if (free !== undefined) return free;
  throw invalidField(
    'indexed',
    `can't be true for more than ${MAX_INDEXED} keys: set it to false for another one first`,
  );
}

/** The name of the column. */
export const slotColumn = (slot: number): string => `indexed_${slot}`;
