import type { ActorColumns } from '../actor.ts';
import { type Db, first } from '../db/db.ts';
import { jsonChunks } from '../db/json-chunks.ts';
import { boundedPage, withinBound } from '../db/list/bounded-page.ts';
import { applyAll, bindConditions, type Condition, condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { StandbyError } from '../db/pool/connection.ts';
import { knex, prepare, prepareShapes, sql } from '../db/query.ts';
import type { Input } from '../operation.ts';
import { anyUuid } from '../values/id.ts';
import { storableJson } from '../values/text.ts';
import { type EventRow, eventColumns } from './tables.ts';

/** An event's size in a response: 600 bytes, and its object and changes. */
const bytes = sql`octet_length(object::text) + octet_length(changes::text) + 600`;

/** The event log as a list, newest first. */
export const eventLog = {
  table: 'events',
  columns: eventColumns,
  sortable: { position: 'bigint' },
  bytes,
} as const;

/**
 * Events of these types about a resource (UUID), or several. Planned once, because planning takes longer than the query. The
 * index has the events of one resource in order; with several, PostgreSQL would read the log backwards instead.
 */
export function ofResources(ids: readonly string[], types: readonly string[] | undefined): Condition {
  const about = ids.length === 1 ? 'resource_id = ?' : 'resource_id = any(?::uuid[])';
  const value = ids.length === 1 ? ids[0] : ids;
  const events =
    types === undefined ? condition(about, value) : condition(`${about} and type = any(?)`, value, types);
  return { ...events, isPlannedOnce: true, ...(ids.length > 1 && { usesGin: true }) };
}

/** Filters by who acted, of any table with the columns of an actor. */
export const actorFilters = {
  actor_id: (id: string): Condition => condition('actor_id = ?', anyUuid(id)),
  actor_user_id: (id: string): Condition => condition('actor_user_id = ?', anyUuid(id)),
};

/** Events that the client (UUID) has not caused. */
export const notOf = (client: string | null): Condition =>
  condition(`(actor_type, actor_id) is distinct from ('client', ?::uuid)`, client);

export const historyFilters: filters.FilterTable<Input<'listLeadEvents'>['query']> = {
  ...actorFilters,
  occurred_from: filters.from('occurred_at'),
  occurred_to: filters.to('occurred_at'),
};

const eventById = prepare<{ id: string }, EventRow>('event_by_id', ($) =>
  knex('events')
    .where({ id: $('id') })
    .select(...eventColumns),
);

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  return first(db, eventById({ id }));
}

const end = prepare<object, { horizon: string; last: string; is_standby: boolean }>('end_of_events', () =>
  knex('event_positions').select({
    horizon: knex.raw('event_horizon()'),
    last: 'last_value',
    is_standby: knex.raw('pg_is_in_recovery()'),
  }),
);

export interface End {
  /** Up to this position, the log is complete. */
  horizon: number;
  /** The last position drawn from the sequence. */
  last: number;
}

export async function readEnd(db: Db): Promise<End> {
  const [row] = await db.run(end({}));
  // A standby doesn't see the primary's locks, so it can't tell which writers are still running.
  if (row?.is_standby) throw new StandbyError();
  return { horizon: Number(row?.horizon), last: Number(row?.last) };
}

const oldest = prepare<object, { position: string }>('oldest_event', () =>
  knex('events').select(knex.raw('coalesce(min(position) - 1, 0) as position')),
);

/** The position before the oldest event. */
export async function oldestPosition(db: Db): Promise<number> {
  const [row] = await db.run(oldest({}));
  return Number(row?.position);
}

const newest = prepare<{ end: number }, EventRow>('newest_event', ($) =>
  knex('events')
    .select(...eventColumns)
    .where('position', '<=', $('end'))
    .orderBy('position', 'desc')
    .limit(1),
);

/** The last event up to this position. */
export async function lastEvent(db: Db, end: number): Promise<EventRow | undefined> {
  const [row] = await db.run(newest({ end }));
  return row;
}

/** Limits in the SQL. Few, because each takes a prepared statement. */
const LIMITS = [11, 101, 501];

interface Span {
  after: number;
  /** The event (UUID) at `after`. */
  id?: string | undefined;
  /** Inclusive. */
  end: number;
  types: readonly string[] | undefined;
  /** UUID. */
  resourceId: string | undefined;
  /** Other filters. */
  conditions: readonly Condition[];
  limit: number;
}

interface NextEvents {
  /** Fewer than the limit if together they would be too large. */
  rows: EventRow[];
  /** Whether the span has more. */
  hasMore: boolean;
  /** The last expired position. From the same snapshot, so that events that expire meanwhile are not skipped silently. */
  dropped: number;
  /** Whether the log has the event with the given id. */
  isKnown: boolean;
}

/** All columns of the event are null if there is none. */
type Fetched = EventRow & { id: string | null; upto: string; dropped: string; is_known: boolean };

const nextEvents = prepareShapes<Span, Fetched>('next_events');

export async function findEvents(db: Db, span: Span): Promise<NextEvents> {
  const limit = LIMITS.find((limit) => limit > span.limit) ?? span.limit + 1;
  const others = span.conditions.map(({ shape }) => shape).join();
  const shape = `${limit} ${span.types && 'types'} ${span.resourceId && 'resource'} ${others}`;
  const statement = nextEvents(shape, true, span, (bind) => {
    const page = knex('events')
      .select(...eventColumns)
      .where(sql`position > ${bind(({ after }) => after)} and position <= ${bind(({ end }) => end)}`)
      .orderBy('position')
      .limit(limit, { skipBinding: true });
    if (span.types !== undefined) page.where('type', sql`any(${bind(({ types }) => types)})`);
    if (span.resourceId !== undefined)
      page.where(
        'resource_id',
        bind(({ resourceId = '' }) => resourceId),
      );
    const bound = bindConditions(span.conditions, (valueIn) => bind(({ conditions }) => valueIn(conditions)));
    page.modify((rows) => applyAll(rows, bound));
    return knex('event_retention')
      .select('dropped_through as dropped', 'page.*')
      .select({ is_known: sql`exists (select from events where id = ${bind(({ id = null }) => id)}::uuid)` })
      .joinRaw('left join lateral ? as page on true', [
        sql`${boundedPage(page, eventColumns, bytes, sql`position`)}`,
      ])
      .orderBy('position');
  });
  const fetched = await db.run(statement);
  const found = fetched.filter(({ id }) => id !== null);
  const rows = withinBound(found).slice(0, span.limit);
  const { dropped, is_known: isKnown = false } = fetched[0] ?? {};
  return { rows, hasMore: found.length > rows.length, dropped: Number(dropped), isKnown };
}

type Origin = Pick<EventRow, 'request_id' | keyof ActorColumns>;

/** `only_to`: the only webhook (UUID) to receive the event, regardless of its subscriptions. */
type Recorded = Pick<EventRow, 'type' | 'resource_id' | 'object' | 'changes'> & { only_to?: string };

/**
 * Bindings: the events as JSON, the request id, the actor's type, id and user (UUIDs). What only filters need is computed once
 * per event, and only if there are any. No value is in the join, or PostgreSQL would plan the statement for each call.
 */
const INSERT_EVENTS = `with new_event as materialized (
    select new_uuid() as id, new_event.*, origin.*,
      case when needs_changed then changed_fields(changes) end as changed,
      case when needs_states then lead_states(object, changes) end as states
    from json_to_recordset(?::json) as new_event(type text, resource_id uuid, only_to uuid, object json, changes json),
      (select ?::text as request_id, ?::text as actor_type, ?::uuid as actor_id, ?::uuid as actor_user_id) as origin,
      (select bool_or(changed is not null) as needs_changed, bool_or(filter_path is not null) as needs_states
        from webhooks) as needed
  ), recorded as (
    insert into events (id, type, request_id, actor_type, actor_id, actor_user_id, resource_id, object, changes)
    select id, type, request_id, actor_type, actor_id, actor_user_id, resource_id, object, changes from new_event
    returning id, position
  ), delivered as (
    insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
    select webhooks.id, new_event.id, new_event.type, new_event.resource_id
    from new_event join webhooks on
      case when new_event.only_to is null
        then webhooks.status <> 'disabled'
          and unmet_criterion(webhooks, type, resource_id, actor_type, actor_id, new_event.changed, states) is null
        else webhooks.id = new_event.only_to
      end
    returning id
  )
  select id, null as position from delivered
  union all (select id, position from recorded order by position desc limit 1)`;

type Insertion = Origin & { events: string };

const insertion = prepare<Insertion, Inserted>('insert_events', ($) =>
  knex.raw(INSERT_EVENTS, [$('events'), $('request_id'), $('actor_type'), $('actor_id'), $('actor_user_id')]),
);

/** A new delivery (UUID), or the last of the events (UUID), which has a position. */
interface Inserted {
  id: string;
  position: string | null;
}

/**
 * Inserts the events in this order, with a delivery for each webhook that wants it. A paused webhook's deliveries wait; a
 * disabled one gets none. Doesn't await the last INSERT: the commit does. `onDeliveries` gets the ids (UUIDs) of deliveries.
 */
export async function insertEvents(
  db: Db,
  origin: Origin,
  events: readonly Recorded[],
  onDeliveries: (ids: string[]) => void,
): Promise<void> {
  const note = (rows: Inserted[]) => onDeliveries(noteInserted(db, rows));
  let last = '';
  for (const chunk of jsonChunks(events)) {
    if (last !== '') note(await db.run(insertion({ ...origin, events: last })));
    last = chunk;
  }
  db.send(insertion({ ...origin, events: last }), note);
}

/** Inserts one event, and returns the ids (UUIDs) of its deliveries. */
export async function insertEvent(db: Db, origin: Origin, event: Recorded): Promise<string[]> {
  return noteInserted(db, await db.run(insertion({ ...origin, events: storableJson([event]) })));
}

function noteInserted(db: Db, rows: readonly Inserted[]): string[] {
  const deliveries: string[] = [];
  for (const { id, position } of rows) {
    if (position === null) deliveries.push(id);
    else db.remember({ id, position: Number(position) });
  }
  return deliveries;
}
