import { boundedPage } from '../db/bounded-page.ts';
import { equals } from '../db/filters.ts';
import { anyUuid } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import type { Condition } from '../db/list.ts';
import { run } from '../db/statement.ts';
import { type EventRow, eventColumns } from '../db/tables.ts';

/** What an event is at most beside its object and its changes, in bytes. */
const ENVELOPE = 600;

/** The log as a list, the newest first. */
export const eventLog = {
  table: 'events',
  columns: eventColumns,
  sortable: { position: 'bigint' },
  bytes: `octet_length(object::text) + octet_length(changes::text) + ${ENVELOPE}`,
} as const;

/** Events of a resource (uuid). The partitions make planning dear: it takes longer than the search. */
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

/** Up to where the log is complete (`horizon`), and the last position that was drawn. */
export async function readEnd(db: Db): Promise<{ horizon: number; last: number }> {
  const [end] = await run<{ horizon: string; last: string }>(db, {
    name: 'end_of_events',
    sql: 'select event_horizon() as horizon, last_value as last from event_positions',
    bindings: [],
  });
  return { horizon: Number(end?.horizon), last: Number(end?.last) };
}

/** The position before the oldest event that is kept. */
export async function oldestPosition(db: Db): Promise<number> {
  const [oldest] = await run<{ position: string }>(db, {
    name: 'oldest_event',
    sql: 'select coalesce(min(position) - 1, 0) as position from events',
    bindings: [],
  });
  return Number(oldest?.position);
}

/** The last position that was dropped. */
export async function droppedThrough(db: Db): Promise<number> {
  const [retention] = await run<{ dropped_through: string }>(db, {
    name: 'event_retention',
    sql: 'select dropped_through from event_retention',
    bindings: [],
  });
  return Number(retention?.dropped_through);
}

const FETCHED = [11, 101, 501] as const;

interface Span {
  after: number;
  /** Inclusive. */
  end: number;
  types: readonly string[] | undefined;
  /** A public id of any kind. */
  resource_id: string | undefined;
  limit: number;
}

/** The next events, as far as they are not too large together, and whether there are more in the span. */
export async function findEvents(db: Db, span: Span): Promise<{ rows: EventRow[]; hasMore: boolean }> {
  const conditions: Condition[] = [
    { sql: 'position > ? and position <= ?', bindings: [span.after, span.end] },
    ...ofTypes(span.types),
    ...aboutResource(span.resource_id),
  ];
  // Few limits are few statements to plan; and with a limit that it knows, PostgreSQL plans for all cursors at once.
  const fetched = FETCHED.find((limit) => limit > span.limit) ?? span.limit + 1;
  const page = {
    name: ['feed', fetched, ...conditions.map(({ name }) => name)].join('_'),
    sql: `select ${eventColumns.join(', ')} from events
      where ${conditions.map(({ sql }) => sql).join(' and ')} order by position limit ${fetched}`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
  const found = await run<EventRow & { found: number }>(db, boundedPage(page, eventLog, 'order by position'));
  const rows = found.slice(0, span.limit);
  return { rows, hasMore: (found[0]?.found ?? 0) > rows.length };
}

/** An id of no known shape is that of nothing that ever happened. */
function aboutResource(id: string | undefined): Condition[] {
  if (id === undefined) return [];
  const uuid = anyUuid(id);
  return [uuid === undefined ? { sql: 'false', bindings: [], name: 'none' } : ofResource(uuid)];
}

type Origin = Pick<EventRow, 'request_id' | 'actor_type' | 'actor_id'>;

/** `only_to` is the one webhook (uuid) that is sent the event, whatever it has subscribed to. */
type Recorded = Pick<EventRow, 'type' | 'resource_id' | 'object' | 'changes'> & { only_to?: string };

/** Its bindings: the events as JSON, the request's id, the type of the actor and its id (uuid). */
export const INSERT_EVENTS = `with given as materialized (
    select new_uuid() as id, given.*
    from json_to_recordset(?::json) as given(type text, resource_id uuid, only_to uuid, object json, changes json)
  ), recorded as (
    insert into events (id, type, request_id, actor_type, actor_id, resource_id, object, changes)
    select id, type, ?, ?, ?::uuid, resource_id, object, changes from given
  )
  insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
  select webhooks.id, given.id, given.type, given.resource_id
  from given join webhooks on
    case when given.only_to is null
      then webhooks.status = 'enabled' and webhooks.event_types && array['*', given.type]
      else webhooks.id = given.only_to
    end
  returning id, webhook_id`;

/** Inserts the events in this order, and for each enabled webhook that wants them a delivery; gives the deliveries. */
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

/** The email addresses that a lead or contact (uuid) has had, as far as events are kept. */
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

/** In one statement, and thereby from one moment. */
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

/** Makes the partition of a day (`2026-11-20`), unless there is one. */
export async function prepareDay(db: Db, day: string): Promise<void> {
  await run(db, { name: 'prepare_event_day', sql: 'select prepare_event_day(?)', bindings: [day] });
}

/** Drops the days before this one. */
export async function dropDays(db: Db, before: string): Promise<void> {
  await run(db, { name: 'drop_event_days', sql: 'select drop_event_days(?)', bindings: [before] });
}

/** Deletes up to `limit` events before this day that lie in no day of their own; tells how many there were. */
export async function deleteExpired(db: Db, before: string, limit: number): Promise<number> {
  const [row] = await run<{ deleted: number }>(db, {
    name: 'delete_expired_events',
    sql: 'select delete_expired_events(?, ?) as deleted',
    bindings: [before, limit],
  });
  return row?.deleted ?? 0;
}
