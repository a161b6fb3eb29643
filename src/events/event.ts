import { type IdPrefix, toId } from '../db/id.ts';
import type { EventRow } from '../db/tables.ts';
import type { Environment } from '../environment.ts';
import type { Schema } from '../http/operation.ts';

export type Event = Schema<'Event'>;
export type EventType = Schema<'EventType'>;

/** The body of an event, the same in the API and in what webhooks are sent. */
export function toEvent(row: EventRow, environment: Environment): Event {
  return {
    type: row.type,
    id: toId('event', row.id),
    occurred_at: row.occurred_at.toISOString(),
    environment,
    request_id: row.request_id,
    actor: { type: row.actor_type, id: actorId(row) },
    data: { object: row.object, changes: row.changes },
    // What was stored was an event of this type: recordEvents() takes no other.
  } as Event;
}

function actorId({ actor_type, actor_id }: EventRow): string | null {
  return actor_id === null || actor_type === 'system' ? null : toId(actor_type satisfies IdPrefix, actor_id);
}
