import type { ActorColumns } from '../actor.ts';
import type { Environment } from '../environment.ts';
import type { Schema } from '../operation.ts';
import { type IdPrefix, toId, toNullableId } from '../values/id.ts';
import type { EventRow } from './tables.ts';

export type Event = Schema<'ApiEvent'>;
export type EventType = Schema<'EventType'>;

/** The public representation of an event, the same in the API and in webhook deliveries. */
export function toEvent(row: EventRow, environment: Environment): Event {
  return {
    type: row.type,
    id: toId('event', row.id),
    occurred_at: row.occurred_at,
    environment,
    request_id: row.request_id,
    actor: toActor(row),
    data: { object: row.object, changes: row.changes },
    // The stored event has this type: recordEvents() accepts no other.
  } as Event;
}

export function toActor({ actor_type: type, actor_id: id, actor_user_id }: ActorColumns): Schema<'Actor'> {
  return {
    type,
    id: id === null || type === 'system' ? null : toId(type satisfies IdPrefix, id),
    user_id: toNullableId('user', actor_user_id),
  };
}
