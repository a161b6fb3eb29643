import type { components } from '../generated/api.ts';

type ActorType = components['schemas']['Actor']['type'];

/** Who makes a change: an API client, an inbound hook, or the service itself. The ids are UUIDs. */
export interface Actor {
  type: ActorType;
  id: string | null;
  /** The user on whose behalf. */
  userId: string | null;
}

export const system: Actor = { type: 'system', id: null, userId: null };

/** The columns of a row that name its actor. */
export interface ActorColumns {
  actor_type: ActorType;
  actor_id: string | null;
  actor_user_id: string | null;
}

export function actorColumns({ type, id, userId }: Actor): ActorColumns {
  return { actor_type: type, actor_id: id, actor_user_id: userId };
}
