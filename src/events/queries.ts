import { boundedPage } from '../db/bounded-page.ts';
import type { Db } from '../db/db.ts';
import { equals } from '../db/filters.ts';
import { anyUuid } from '../db/id.ts';
import type { Condition } from '../db/list.ts';
import { run } from '../db/statement.ts';
import { type EventRow, eventColumns } from '../db/tables.ts';

/** Maximum bytes of an event besides its object and its changes. */
const MAX_ENVELOPE_BYTES = 600;

/** The event log as a list, newest first. */
export const eventLog = {
  table: 'events',
  columns: eventColumns,
  sortable: { position: 'bigint' },
  bytes: `octet_length(object::text) + octet_length(changes::text) + ${MAX_ENVELOPE_BYTES}`,
} as const;

/** Events of a resource (UUID). Named, because planning is expensive: with partitions it takes longer than the query. */
export function ofResource(id: string): Condition {
  return { ...equals('resource_id')(id), name: 'resource' };
}

export function ofTypes(types: readonly string[] | undefined): Condition[] {
  return types === undefined ? [] : [{ sql: 'type = any(?)', bindings: [[...types]], name: 'types' }];
}

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const [row] = await run<EventRow>(db, {
    name: 'event_by_id',
    sql: `select ${eventColumns.join(', ')} from events where id = ?`,
    bindings: [id],
  });
  return row;
}

/** The position up to which the log is complete (`horizon`), and the last position drawn from the sequence (`last`). */
export async function readEnd(db: Db): Promise<{ horizon: number; last: number }> {
  const [end] = await run<{ horizon: string; last: string }>(db, {
    name: 'end_of_events',
    sql: 'select event_horizon() as horizon, last_value as last from event_positions',
    bindings: [],
  });
  return { horizon: Number(end?.horizon), last: Number(end?.last) };
}

/** The position before the oldest event. */
export async function oldestPosition(db: Db): Promise<number> {
  const [oldest] = await run<{ position: string }>(db, {
    name: 'oldest_event',
    sql: 'select coalesce(min(position) - 1, 0) as position from events',
    bindings: [],
  });
  return Number(oldest?.position);
}

/** The last dropped position. */
export async function droppedThrough(db: Db): Promise<number> {
  const [retention] = await run<{ dropped_through: string }>(db, {
    name: 'event_retention',
    sql: 'select dropped_through from event_retention',
    bindings: [],
  });
  return Number(retention?.dropped_through);
}

const FETCH_LIMITS = [11, 101, 501] as const;

interface Span {
  after: number;
  /** Inclusive. */
  end: number;
  types: readonly string[] | undefined;
  /** Public id of any kind. */
  resource_id: string | undefined;
  limit: number;
}

/** The next events, fewer if they are too large together, and whether the span has more. */
export async function findEvents(db: Db, span: Span): Promise<{ rows: EventRow[]; hasMore: boolean }> {
  const conditions: Condition[] = [
    { sql: 'position > ? and position <= ?', bindings: [span.after, span.end] },
    ...ofTypes(span.types),
    ...aboutResource(span.resource_id),
  ];
  // Few distinct limits mean few statements to plan. With a constant limit, PostgreSQL uses one plan for all cursors.
  const fetchLimit = FETCH_LIMITS.find((limit) => limit > span.limit) ?? span.limit + 1;
  const page = {
    name: ['feed', fetchLimit, ...conditions.map(({ name }) => name)].join('_'),
    sql: `select ${eventColumns.join(', ')} from events
      where ${conditions.map(({ sql }) => sql).join(' and ')} order by position limit ${fetchLimit}`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
  const found = await run<EventRow & { found: number }>(db, boundedPage(page, eventLog, 'order by position'));
  const rows = found.slice(0, span.limit);
  return { rows, hasMore: (found[0]?.found ?? 0) > rows.length };
}

/** A malformed id matches no event. */
function aboutResource(id: string | undefined): Condition[] {
  if (id === undefined) return [];
  const uuid = anyUuid(id);
  return [uuid === undefined ? { sql: 'false', bindings: [], name: 'none' } : ofResource(uuid)];
}

type Origin = Pick<EventRow, 'request_id' | 'actor_type' | 'actor_id'>;

/** `only_to`: the only webhook (UUID) to receive the event, regardless of its subscriptions. */
type Recorded = Pick<EventRow, 'type' | 'resource_id' | 'object' | 'changes'> & { only_to?: string };

/** Bindings: the events as JSON, the request id, the actor's type and id (UUID). */
const INSERT_EVENTS = `with new_event as materialized (
    select new_uuid() as id, new_event.*
    from json_to_recordset(?::json) as new_event(type text, resource_id uuid, only_to uuid, object json, changes json)
  ), recorded as (
    insert into events (id, type, request_id, actor_type, actor_id, resource_id, object, changes)
    select id, type, ?, ?, ?::uuid, resource_id, object, changes from new_event
  )
  insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
  select webhooks.id, new_event.id, new_event.type, new_event.resource_id
  from new_event join webhooks on
    case when new_event.only_to is null
      then webhooks.status = 'enabled' and webhooks.event_types && array['*', new_event.type]
      else webhooks.id = new_event.only_to
    end
  returning id, webhook_id`;

/** Inserts the events in this order, with a delivery for each enabled, subscribed webhook. Returns the deliveries. */
export async function insertEvents(
  db: Db,
  { request_id, actor_type, actor_id }: Origin,
  events: readonly Recorded[],
): Promise<{ id: string; webhook_id: string }[]> {
  return run(db, {
    name: 'insert_events',
    sql: INSERT_EVENTS,
    bindings: [JSON.stringify(events), request_id, actor_type, actor_id],
  });
}

/** Email addresses that a lead or contact (UUID) has had, as far back as events are kept. */
export async function emailsOf(db: Db, id: string): Promise<string[]> {
  const rows = await run<{ email: string }>(db, {
    name: 'emails_of_person',
    sql: `select distinct email
      from events cross join lateral (values (object ->> 'email'), (changes #>> '{email,from}')) as had(email)
      where resource_id = ? and email is not null`,
    bindings: [id],
  });
  return rows.map(({ email }) => email);
}

/** A single statement, so that all tables are read from one snapshot. */
export async function erase(
  db: Db,
  { id, publicId, email }: { id: string; publicId: string; email: string },
): Promise<void> {
  await run(db, {
    name: 'erase_person',
    sql: `with person as (select ?::uuid as id, ?::text as public_id, ?::text as email),
      erased_events as (
        update events
        set object = erase_person(object, email), changes = erase_person_changes(changes, email)
        from person where resource_id = person.id
      ),
      erased_answers as (
        update idempotency_keys set body = erase_person_answer(body, public_id, email)
        from person where people <> '{}' and people @> array[person.id]
      )
      update webhook_attempts set response_body = null
      from person join webhook_deliveries on resource_id = person.id
      where delivery_id = webhook_deliveries.id and response_body is not null`,
    bindings: [id, publicId, email],
  });
}

/** Creates the partition of a day (`2026-11-20`) if missing. */
export async function prepareDay(db: Db, day: string): Promise<void> {
  await run(db, { name: 'prepare_event_day', sql: 'select prepare_event_day(?)', bindings: [day] });
}

/** Drops the partitions of the days before this one. */
export async function dropDays(db: Db, before: string): Promise<void> {
  await run(db, { name: 'drop_event_days', sql: 'select drop_event_days(?)', bindings: [before] });
}

/** Deletes up to `limit` events before this day that are not in a partition by day. Returns how many it deleted. */
export async function deleteExpired(db: Db, before: string, limit: number): Promise<number> {
  const [row] = await run<{ deleted: number }>(db, {
    name: 'delete_expired_events',
    sql: 'select delete_expired_events(?, ?) as deleted',
    bindings: [before, limit],
  });
  return row?.deleted ?? 0;
}
