import { type Environment, environments } from '../environment.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { invalidCursor } from '../problem.ts';

/**
 * Where a reader is in the log: behind an event, which is named, because a restored log gives the same numbers to other
 * events.
 */
export interface Position {
  /** The position of the event. */
  after: number;
  /** Its id (UUID). Undefined if the log had no events. */
  id?: string | undefined;
  /** The log had no other event up to here. */
  scanned: number;
}

export function toCursor(environment: Environment, { after, id, scanned }: Position): string {
  if (id === undefined) return encodeCursor([environment, scanned]);
  const name = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
  return encodeCursor([environment, after, name, ...(scanned > after ? [scanned] : [])]);
}

/** The position in the environment's log. Throws 400 for a cursor of anything else. */
export function fromCursor(cursor: string, environment: Environment): Position {
  const [origin, after, name, scanned = after] = decodeCursor(cursor);
  const log = environments.find((one) => one === origin);
  const id = typeof name === 'string' ? Buffer.from(name, 'base64url').toString('hex') : undefined;
  const isNamed = name === undefined || id?.length === 32;
  if (log === undefined || !isNamed || !isPosition(after) || !isPosition(scanned)) {
    throw invalidCursor('after', 'is not a next_cursor of this service; send one unchanged, or latest');
  }
  if (log !== environment) {
    throw invalidCursor('after', `belongs to the ${log} log, but this is ${environment}`);
  }
  return { after, id, scanned: Math.max(after, scanned) };
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
