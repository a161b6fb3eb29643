import type { components } from '../../generated/api.ts';
import { column, columnsOf, personal } from '../db/tables.ts';

type Schemas = components['schemas'];

/** `object` and `changes` are those of the event's public representation. */
export const event = {
  id: column<string>(),
  position: column<string>(),
  type: column<string>(),
  occurred_at: column<string>(),
  request_id: column<string>(),
  actor_type: column<Schemas['Actor']['type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  resource_id: column<string>(),
  object: personal<{ id: string }>({
    person: '(select erased from erase_fields(object, person.email))',
    address: 'erase_address(object, whole)',
  }),
  changes: personal<Record<string, { from: unknown; to: unknown }>>({
    person: '(select erased from erase_changes(changes, person.email))',
    address: 'erase_address(changes, whole)',
  }),
};

export type EventRow = typeof event;
export const eventColumns = columnsOf(event);
