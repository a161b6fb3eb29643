import type { Db } from '../db/db.ts';
import { anyUuid } from '../db/id.ts';
import { type Environment, environments } from '../environment.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { invalidCursor, Problem } from '../http/errors/problem.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { withQuery } from '../http/pagination.ts';
import { toEvent } from './event.ts';
import { findEvents, oldestPosition, readEnd } from './queries.ts';
import { RETENTION_DAYS } from './retention.ts';
import type { EventRow } from './tables.ts';

/** Maximum positions that a request with a type filter scans, so that its time does not grow with the log. */
const MAX_SCANNED = 20_000;

type Query = Input<'listEvents'>['query'];

export async function listEvents(
  { query }: Input<'listEvents'>,
  { db, environment, baseUrl }: OperationContext,
): Promise<Result<'listEvents'>> {
  const { rows, next, hasMore } = await readLog(db, environment, query);
  const next_cursor = encodeCursor([environment, next]);
  const next_page = withQuery(`${baseUrl}/events`, { ...query, after: next_cursor });
  return {
    status: 200,
    headers: { Link: `<${next_page}>; rel="next"` },
    body: {
      data: rows.map((row) => toEvent(row, environment)),
      meta: { next_cursor, has_more: hasMore },
    },
  };
}

/** The next events, and the position up to which the log has now been read. */
async function readLog(
  db: Db,
  environment: Environment,
  { after: cursor, types, resource_id, limit }: Query,
): Promise<{ rows: EventRow[]; next: number; hasMore: boolean }> {
  // Read before the events: what commits in between lies beyond the horizon, or is final and visible.
  const { horizon, last } = await readEnd(db);
  if (cursor === 'latest') return { rows: [], next: horizon, hasMore: false };
  const after = cursor === undefined ? await startOfLog(db, horizon) : positionOf(cursor, environment, last);
  const end = Math.max(after, types === undefined ? horizon : Math.min(horizon, after + MAX_SCANNED));
  const resourceId = resource_id && anyUuid(resource_id);
  // A malformed id matches no event.
  const span = { after, end: resource_id && !resourceId ? after : end, types, resourceId, limit };
  const { rows, hasMore, dropped } = await findEvents(db, span);
  if (cursor !== undefined && after < dropped) throw expired();
  if (hasMore) return { rows, next: Number(rows.at(-1)?.position), hasMore: true };
  return { rows, next: end, hasMore: end < horizon };
}

/** The oldest visible event may not be the oldest: beyond the horizon, older ones may still be committed. */
async function startOfLog(db: Db, horizon: number): Promise<number> {
  return Math.min(await oldestPosition(db), horizon);
}

/** The position in the environment's log, whose last one is `last`. Throws 400 for a cursor of anything else. */
function positionOf(cursor: string, environment: Environment, last: number): number {
  const [origin, position] = decodeCursor(cursor);
  const log = environments.find((name) => name === origin);
  if (log === undefined || !isPosition(position)) {
    throw invalidCursor('after', 'is not a next_cursor of this service; send one unchanged, or latest');
  }
  if (log !== environment) {
    throw invalidCursor('after', `belongs to the ${log} log, but this is ${environment}`);
  }
  // Happens after a restore from an older backup: the next events would be skipped.
  if (position > last) {
    throw invalidCursor('after', 'is beyond the end of the log; start again without a cursor');
  }
  return position;
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function expired(): Problem {
  const message = `is too old: events after it are gone, because they are kept for ${RETENTION_DAYS} days`;
  return new Problem(
    'events_expired',
    `after: ${message}. Ask for after=latest, read the lists again, and continue from that cursor.`,
    {
      details: { errors: { after: [message] } },
    },
  );
}
