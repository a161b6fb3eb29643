import type { Environment } from '../environment.ts';
import type { Schema } from '../operation.ts';
import { type IdPrefix, toId } from '../values/id.ts';
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
    data: { object: toObject(row), changes: row.changes },
    // The stored event has this type: recordEvents() accepts no other.
  } as Event;
}

/** Fields of leads that version 1.0.0 does not know, and in whose events it therefore does not accept them. */
const later = { value: null, expected_close_on: null };

/** Adds the fields that are stored only if they are set. */
function toObject({ type, object }: Pick<EventRow, 'type' | 'object'>): object {
  if (!type.startsWith('lead.') || type === 'lead.deleted') return object;
  const { value, expected_close_on }: typeof object & { [name in keyof typeof later]?: unknown } = object;
  return { ...object, value: value ?? null, expected_close_on: expected_close_on ?? null };
}

/** Leaves them out if they are not set, so that processes of version 1.0.0 can show the event. */
export function toStored<T extends object>(object: T): T {
  const fields = Object.entries(object).filter(([name, value]) => value !== null || !(name in later));
  return Object.fromEntries(fields) as T;
}

export function toActor({
  actor_type: type,
  actor_id: id,
}: Pick<EventRow, 'actor_type' | 'actor_id'>): Schema<'Actor'> {
  return { type, id: id === null || type === 'system' ? null : toId(type satisfies IdPrefix, id) };
}
