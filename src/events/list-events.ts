import type { Db } from '../db/db.ts';
import { anyUuid } from '../db/id.ts';
import { type Environment, environments } from '../environment.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { invalidCursor, Problem } from '../http/errors/problem.ts';
import type { Input, OperationContext, Result, Suspension } from '../http/operation.ts';
import { withQuery } from '../http/pagination.ts';
import { SECOND } from '../time.ts';
import { toEvent } from './event.ts';
import { findEvents, oldestPosition, readEnd } from './queries.ts';
import { RETENTION_DAYS } from './retention.ts';
import type { EventRow } from './tables.ts';

/** Maximum positions that a request with a type filter scans, so that its time does not grow with the log. */
const MAX_SCANNED = 20_000;

type Query = Input<'listEvents'>['query'];

/** Events, and the position up to which the log has now been read. */
interface Page {
  rows: EventRow[];
  next: number;
  hasMore: boolean;
}

export async function listEvents(
  { query }: Input<'listEvents'>,
  { db, environment, baseUrl, eventWatch }: OperationContext,
): Promise<Result<'listEvents'> | Suspension<Result<'listEvents'>>> {
  const { after: cursor, wait = 0 } = query;
  function respond({ rows, next, hasMore }: Page): Result<'listEvents'> {
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

  function waitAfter(position: number): Suspension<Result<'listEvents'>> {
    const { types, resource_id } = query;
    // A malformed id matches no event.
    const resourceId = resource_id && (anyUuid(resource_id) ?? '');
    const { growth, cancel } = eventWatch.wait(position, { types, resourceId }, wait * SECOND);
    return {
      until: growth,
      cancel,
      async resume() {
        const { after, complete } = await growth;
        if (complete < after) throw beyondEnd();
        if (complete === after) return respond({ rows: [], next: after, hasMore: false });
        return respond(await readAfter(db, after, complete, query));
      },
    };
  }

  const position = cursor === undefined || cursor === 'latest' ? cursor : positionOf(cursor, environment);
  // Spares the database a read that finds nothing.
  if (wait > 0 && typeof position === 'number' && eventWatch.isAtEnd(position)) return waitAfter(position);
  const page = await readLog(db, position, query);
  const isEmpty = page.rows.length === 0 && !page.hasMore;
  return wait > 0 && isEmpty ? waitAfter(page.next) : respond(page);
}

/** The next events after a position, or from the start of the log; no events for `latest`. */
async function readLog(db: Db, position: number | 'latest' | undefined, query: Query): Promise<Page> {
  // Read before the events: what commits in between lies beyond the horizon, or is final and visible.
  const { horizon, last } = await readEnd(db);
  if (position === 'latest') return { rows: [], next: horizon, hasMore: false };
  if (position === undefined) {
    const { page } = await readPage(db, await startOfLog(db, horizon), horizon, query);
    return page;
  }
  if (position > last) throw beyondEnd();
  return readAfter(db, position, horizon, query);
}

/** Throws 410 if events after the position are gone. */
async function readAfter(db: Db, after: number, horizon: number, query: Query): Promise<Page> {
  const { page, dropped } = await readPage(db, after, horizon, query);
  if (after < dropped) throw expired();
  return page;
}

async function readPage(
  db: Db,
  after: number,
  horizon: number,
  { types, resource_id, limit }: Query,
): Promise<{ page: Page; dropped: number }> {
  const end = Math.max(after, types === undefined ? horizon : Math.min(horizon, after + MAX_SCANNED));
  const resourceId = resource_id && anyUuid(resource_id);
  // A malformed id matches no event.
  const span = { after, end: resource_id && !resourceId ? after : end, types, resourceId, limit };
  const { rows, hasMore, dropped } = await findEvents(db, span);
  const page = hasMore
    ? { rows, next: Number(rows.at(-1)?.position), hasMore }
    : { rows, next: end, hasMore: end < horizon };
  return { page, dropped };
}

/** The oldest visible event may not be the oldest: beyond the horizon, older ones may still be committed. */
async function startOfLog(db: Db, horizon: number): Promise<number> {
  return Math.min(await oldestPosition(db), horizon);
}

/** The position in the environment's log. Throws 400 for a cursor of anything else. */
function positionOf(cursor: string, environment: Environment): number {
  const [origin, position] = decodeCursor(cursor);
  const log = environments.find((name) => name === origin);
  if (log === undefined || !isPosition(position)) {
    throw invalidCursor('after', 'is not a next_cursor of this service; send one unchanged, or latest');
  }
  if (log !== environment) {
    throw invalidCursor('after', `belongs to the ${log} log, but this is ${environment}`);
  }
  return position;
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Happens after a restore from an older backup: the next events would be skipped. */
function beyondEnd(): Problem {
  return invalidCursor('after', 'is beyond the end of the log; start again without a cursor');
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
