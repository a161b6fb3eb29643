import type { Environment } from '../environment.ts';
import { invalidCursor } from '../http/problem.ts';

/** One letter, so that cursors stay short. */
const letters = { production: 'p', sandbox: 's' } as const satisfies Record<Environment, string>;

/** A place in the log of an environment, as clients keep it. */
export function encodeCursor(environment: Environment, position: number): string {
  return Buffer.from(letters[environment] + position).toString('base64url');
}

/** Throws 400 for what is no cursor of the environment's log, whose last position is `last`. */
export function decodeCursor(environment: Environment, text: string, last: number): number {
  const [, letter, digits] =
    /^([ps])(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (letter === undefined) {
    throw invalidCursor('after', 'is not a next_cursor of this service; send one as it was, or latest');
  }
  if (letter !== letters[environment]) {
    const other = environment === 'production' ? 'sandbox' : 'production';
    throw invalidCursor('after', `belongs to the ${other} log, and this is ${environment}`);
  }
  const position = Number(digits);
  // As after the log was put back to an older copy: what comes next would be skipped.
  if (position > last) throw invalidCursor('after', 'lies beyond the end of the log; begin anew');
  return position;
}
