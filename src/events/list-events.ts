import type { Db } from '../db/db.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { linkHeader } from '../http/lists/links.ts';
import type { Input, OperationContext, Result, Suspension } from '../operation.ts';
import { Problem } from '../problem.ts';
import { anyUuid } from '../values/id.ts';
import { SECOND } from '../values/time.ts';
import { toEvent } from './event.ts';
import { fromCursor, type Position, toCursor } from './position.ts';
import {
  type End,
  findEvents,
  historyFilters,
  lastEvent,
  notOf,
  oldestPosition,
  readEnd,
} from './queries.ts';
import { RETENTION_DAYS } from './retention.ts';
import type { EventRow } from './tables.ts';

/** Positions scanned per request with a filter other than the resource. Bounds its time, however long the log is. */
const MAX_SCANNED = 20_000;

type Query = Input<'listEvents'>['query'];

/** Events, and where the next page continues. */
interface Page {
  rows: EventRow[];
  next: Position;
  hasMore: boolean;
}

export async function listEvents(
  { query }: Input<'listEvents'>,
  context: OperationContext,
): Promise<Result<'listEvents'> | Suspension<Result<'listEvents'>>> {
  const { environment, baseUrl, eventWatch } = context;
  const { cursor, wait = 0 } = query;
  function respond({ rows, next, hasMore }: Page): Result<'listEvents'> {
    const next_cursor = toCursor(environment, next);
    const { cursor: _, ...shared } = query;
    return {
      status: 200,
      headers: linkHeader(`${baseUrl}/events`, shared, { next: { cursor: next_cursor } }),
      body: {
        data: rows.map((row) => toEvent(row, environment)),
        meta: { next_cursor, has_more: hasMore },
      },
    };
  }

  function waitAfter(position: Position): Suspension<Result<'listEvents'>> {
    const { event_types: types, resource_id } = query;
    // A malformed id matches no event.
    const resourceId = resource_id && (anyUuid(resource_id) ?? '');
    const { growth, cancel } = eventWatch.wait(position.scanned, { types, resourceId }, wait * SECOND);
    return {
      until: growth,
      cancel,
      async resume() {
        const { after, complete } = await growth;
        if (after === position.scanned && complete === after)
          return respond({ rows: [], next: position, hasMore: false });
        const end = { horizon: complete, last: complete };
        return respond(await readAfter(context, { ...position, scanned: after }, end, query));
      },
    };
  }

  const position = cursor === undefined || cursor === 'latest' ? cursor : fromCursor(cursor, environment);
  // Skip a read that would find nothing.
  if (wait > 0 && typeof position === 'object' && eventWatch.isAtEnd(position.scanned))
    return waitAfter(position);
  const page = await readLog(context, position, query);
  const isEmpty = page.rows.length === 0 && !page.hasMore;
  return wait > 0 && isEmpty ? waitAfter(page.next) : respond(page);
}

type Log = Pick<OperationContext, 'db' | 'history' | 'principal'>;

/** The next events after a position. Undefined starts at the oldest event, `latest` returns none. */
async function readLog(log: Log, position: Position | 'latest' | undefined, query: Query): Promise<Page> {
  const { db } = log;
  // Read the horizon before the events. What commits in between is either beyond it, or visible and final.
  const end = await readEnd(db);
  const { horizon } = end;
  if (position === 'latest') return { rows: [], next: await lastPosition(db, horizon), hasMore: false };
  if (position === undefined) {
    const after = await startOfLog(db, horizon);
    const { page } = await readPage(log, { after, scanned: after }, horizon, query);
    return page;
  }
  return readAfter(log, position, end, query);
}

/** Throws 410 if events after the position have expired, or if the log was restored from an older backup. */
async function readAfter(log: Log, position: Position, { horizon, last }: End, query: Query): Promise<Page> {
  const { page, dropped, isKnown } = await readPage(log, position, horizon, query);
  const { after, id, scanned } = position;
  if (scanned < dropped) throw expired();
  if (id === undefined ? after > last : after > dropped && !isKnown) {
    log.history.reject(after);
    throw restored();
  }
  return page;
}

async function readPage(
  { db, principal }: Log,
  position: Position,
  horizon: number,
  query: Query,
): Promise<{ page: Page; dropped: number; isKnown: boolean }> {
  const { after, id, scanned } = position;
  const { event_types: types, resource_id, per_page: limit } = query;
  const others = query.exclude_own ? [notOf(principal.clientId)] : [];
  const conditions = [...conditionsOf(historyFilters, query), ...others];
  const isScanned = types !== undefined || conditions.length > 0;
  // The horizon can move back for a moment, or after a crash that lost positions.
  const from = Math.max(after, Math.min(scanned, horizon));
  const end = Math.max(after, isScanned ? Math.min(horizon, from + MAX_SCANNED) : horizon);
  const resourceId = resource_id && anyUuid(resource_id);
  // A malformed id matches no event.
  const span = {
    after,
    id,
    end: resource_id && !resourceId ? after : end,
    types,
    resourceId,
    conditions,
    limit,
  };
  const { rows, hasMore, dropped, isKnown } = await findEvents(db, span);
  const lastRow = rows.at(-1);
  const isFiltered = isScanned || resource_id !== undefined;
  let next = behind(lastRow, position);
  // There may be later events up to here that the filter left out.
  if (!hasMore && (isFiltered ? end > after : next.id === undefined)) next = await lastPosition(db, end);
  else if (!hasMore) next = { ...next, scanned: end };
  return { page: { rows, next, hasMore: hasMore || end < horizon }, dropped, isKnown };
}

function behind(row: EventRow | undefined, position: Position): Position {
  if (row === undefined) return position;
  return { after: Number(row.position), id: row.id, scanned: Number(row.position) };
}

/** The position after the last event up to `end`. */
async function lastPosition(db: Db, end: number): Promise<Position> {
  const event = await lastEvent(db, end);
  return { ...behind(event, { after: end, scanned: end }), scanned: end };
}

/** Beyond the horizon, events older than the oldest visible one may still be committed. */
async function startOfLog(db: Db, horizon: number): Promise<number> {
  return Math.min(await oldestPosition(db), horizon);
}

/** After a restore from an older backup, a reader that continued from its position would skip the next events. */
function restored(): Problem {
  return gone(
    'log_restored',
    'belongs to a log that has since been restored from a backup: events before it are gone',
  );
}

function expired(): Problem {
  return gone(
    'events_expired',
    `is too old: events after it are gone, because they are kept for ${RETENTION_DAYS} days`,
  );
}

function gone(code: 'events_expired' | 'log_restored', message: string): Problem {
  const remedy = 'Ask for cursor=latest, read the lists again, and continue from that cursor.';
  return new Problem(code, `cursor ${message}. ${remedy}`, { details: { errors: { cursor: [message] } } });
}
