import type { Environment } from '../environment.ts';
import { invalidCursor } from '../http/problem.ts';

/** A single letter, to keep cursors short. */
const letters = { production: 'p', sandbox: 's' } as const satisfies Record<Environment, string>;

/** Encodes a position in an environment's log as an opaque cursor for clients. */
export function encodeCursor(environment: Environment, position: number): string {
  return Buffer.from(letters[environment] + position).toString('base64url');
}

/** Throws 400 unless the text is a cursor of the environment's log, whose last position is `last`. */
export function decodeCursor(environment: Environment, text: string, last: number): number {
  const [, letter, digits] =
    /^([ps])(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (letter === undefined) {
    throw invalidCursor('after', 'is not a next_cursor of this service; pass one unchanged, or latest');
  }
  if (letter !== letters[environment]) {
    const other = environment === 'production' ? 'sandbox' : 'production';
    throw invalidCursor('after', `belongs to the ${other} log, but this is ${environment}`);
  }
  const position = Number(digits);
  // Happens after a restore from an older backup: the next events would be skipped.
  if (position > last)
    throw invalidCursor('after', 'lies beyond the end of the log; start again without a cursor');
  return position;
}
