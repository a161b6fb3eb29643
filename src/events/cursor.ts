import { invalidCursor } from '../http/problem.ts';

/** A place in the log, as clients keep it. */
export function encodeCursor(position: number): string {
  return Buffer.from(String(position)).toString('base64url');
}

/** Throws 400 for what is no cursor of this log, whose last position is `last`. */
export function decodeCursor(text: string, last: number): number {
  const digits = Buffer.from(text, 'base64url').toString('latin1');
  if (!/^\d{1,15}$/.test(digits)) {
    throw invalidCursor('after', 'is not a next_cursor of this service; send one as it was, or latest');
  }
  const position = Number(digits);
  // As after the log was put back to an older copy: what comes next would be skipped.
  if (position > last) throw invalidCursor('after', 'lies beyond the end of the log; begin anew');
  return position;
}
