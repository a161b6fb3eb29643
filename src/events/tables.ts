import type { components } from '../../generated/api.ts';
import { column, columnsOf } from '../db/tables.ts';

type Schemas = components['schemas'];

/** `object` and `changes` are those of the event's public representation. */
const event = {
  id: column<string>(),
  position: column<string>(),
  type: column<string>(),
  occurred_at: column<string>(),
  request_id: column<string>(),
  actor_type: column<Schemas['Actor']['type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  resource_id: column<string>(),
  object: column<{ id: string }>(),
  changes: column<Record<string, { from: unknown; to: unknown }>>(),
};

export type EventRow = typeof event;
export const eventColumns = columnsOf(event);
