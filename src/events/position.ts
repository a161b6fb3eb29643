import { type Environment, environments } from '../environment.ts';
import { decodeCursor, encodeCursor } from '../http/lists/cursor.ts';
import { invalidCursor } from '../problem.ts';

/** A reader's place in the log: after an event. Includes the event's id, because a restored log reuses positions. */
export interface Position {
  /** The position of the event. */
  after: number;
  /** Its id (UUID). Undefined if there was no event. */
  id?: string | undefined;
  /** Up to this position, the log had no further event for the reader. */
  scanned: number;
}

export function toCursor(environment: Environment, { after, id, scanned }: Position): string {
  if (id === undefined) return encodeCursor([environment, scanned]);
  const name = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
  return encodeCursor([environment, after, name, ...(scanned > after ? [scanned] : [])]);
}

/** The position that a cursor stands for. Throws 400 unless it is a cursor of this environment's log. */
export function fromCursor(cursor: string, environment: Environment): Position {
  const [origin, after, name, scanned = after] = decodeCursor(cursor);
  const log = environments.find((one) => one === origin);
  const id = typeof name === 'string' ? Buffer.from(name, 'base64url').toString('hex') : undefined;
  const isNamed = name === undefined || id?.length === 32;
  if (log === undefined || !isNamed || !isPosition(after) || !isPosition(scanned)) {
    throw invalidCursor('cursor', 'must be latest or the next_cursor of an earlier answer, unchanged');
  }
  if (log !== environment) {
    throw invalidCursor('cursor', `belongs to the ${log} log, but this is ${environment}`);
  }
  return { after, id, scanned: Math.max(after, scanned) };
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
