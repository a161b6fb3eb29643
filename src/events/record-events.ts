import type { OperationContext } from '../http/operation.ts';
import type { Event, EventType } from './event.ts';
import { insertEvents } from './queries.ts';

/** What an event of the type carries. */
export type DataOf<Type extends EventType> = Extract<Event, { type: Type }>['data'];

/** An event that is about to be recorded: its type, the resource (uuid), and what the contract says it carries. */
export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    resourceId: string;
    object: DataOf<Type>['object'];
    changes?: DataOf<Type>['changes'];
    /** The one webhook (uuid) that is sent the event, whatever it has subscribed to. */
    onlyTo?: string;
  };
}[EventType];

/** What recording needs to know: the transaction, who it is, and in which request. */
export type Recorder = Pick<OperationContext, 'db' | 'actor' | 'requestId' | 'enqueueDeliveries'>;

/** Records the events, in this order, in the transaction of the change, and has them delivered: gives the deliveries (uuids). */
export async function recordEvents(
  { db, actor, requestId, enqueueDeliveries }: Recorder,
  events: readonly NewEvent[],
): Promise<{ id: string; webhook_id: string }[]> {
  if (events.length === 0) return [];
  const deliveries = await insertEvents(
    db,
    { request_id: requestId, actor_type: actor.type, actor_id: actor.id },
    events.map(({ type, resourceId, object, changes = {}, onlyTo }) => ({
      type,
      resource_id: resourceId,
      object,
      changes,
      only_to: onlyTo,
    })),
  );
  if (deliveries.length > 0) await enqueueDeliveries(db, deliveries);
  return deliveries;
}
