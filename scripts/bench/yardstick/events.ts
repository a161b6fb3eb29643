/** The event log: reading a page of it, and recording an event. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Row } from './database.ts';
import { toId, toUuid } from './typeid.ts';

/** Read before the events: what commits in between lies beyond the horizon, or is final and visible. */
const END = `
  select event_horizon()::text as horizon,
    (select dropped_through::text from event_retention) as dropped,
    case when $1 then (select (coalesce(min(position), 1) - 1)::text from events) end as start`;

const PAGE = `
  select id, position, type, occurred_at, request_id, actor_type, actor_id, object, changes
  from events where position > $1 and position <= $2 order by position limit $3`;

export async function listEvents(pool: pg.Pool, query: URLSearchParams): Promise<Row> {
  const limit = Number(query.get('limit') ?? 100);
  const cursor = query.get('after');
  const end = { name: 'end of events', text: END, values: [cursor === null] };
  const [state] = (await pool.query<Row>(end)).rows;
  const horizon = Number(state?.horizon);
  const after =
    cursor === null
      ? Math.min(Number(state?.start), horizon)
      : Number(Buffer.from(cursor, 'base64url').toString());
  if (cursor !== null && after < Number(state?.dropped)) throw new Error('expired');
  const page = { name: 'events', text: PAGE, values: [after, Math.max(after, horizon), limit + 1] };
  const { rows } = await pool.query<Row>(page);
  const hasMore = rows.length > limit;
  const data = rows.slice(0, limit);
  const next = hasMore ? String(data.at(-1)?.position) : String(Math.max(after, horizon));
  return {
    data: data.map(toEvent),
    meta: { next_cursor: Buffer.from(next).toString('base64url'), has_more: hasMore },
  };
}

/** What events store only if it is set, as in the service. */
const later = { value: null, expected_close_on: null };

function toEvent({ id, type, occurred_at, request_id, actor_type, actor_id, object, changes }: Row): Row {
  const actor = { type: actor_type, id: actor_id === null ? null : toId(actor_type, actor_id) };
  const data = { object: type.startsWith('lead.') ? { ...later, ...object } : object, changes };
  const environment = 'production';
  return { type, id: toId('event', id), occurred_at, environment, request_id, actor, data };
}

/** With a delivery for each webhook that wants it, as in the service. */
const RECORD = `
  with recorded as (
    insert into events (type, request_id, actor_type, actor_id, resource_id, object, changes)
    values ($1, $2, 'client', $3, $4, $5, $6) returning id, type, resource_id
  )
  insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
  select webhooks.id, recorded.id, recorded.type, recorded.resource_id
  from recorded join webhooks on webhooks.status = 'enabled' and webhooks.event_types && array['*', recorded.type]`;

export async function recordEvent(
  client: pg.ClientBase,
  clientId: string | null,
  { type, object, changes }: { type: string; object: Row; changes: Row },
): Promise<void> {
  const stored = { ...object };
  for (const name in later) if (stored[name] === null) delete stored[name];
  const values = [type, randomUUID(), clientId, toUuid(object.id), stored, changes];
  await client.query({ name: 'record event', text: RECORD, values });
}
