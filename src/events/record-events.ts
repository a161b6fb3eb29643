import { actorColumns } from '../actor.ts';
import type { OperationContext } from '../operation.ts';
import { anyUuid } from '../values/id.ts';
import { DELIVERIES, EVENTS } from './channels.ts';
import type { Event, EventType } from './event.ts';
import { insertEvent, insertEvents } from './queries.ts';

/** The `data` of an event type. */
type DataOf<Type extends EventType> = Extract<Event, { type: Type }>['data'];

/** An event to record: its type, and its data as in the contract. */
export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    object: DataOf<Type>['object'];
    changes?: DataOf<Type>['changes'];
    /** The only webhook (UUID) to receive the event, regardless of its subscriptions. */
    onlyTo?: string;
    /** The resource (UUID) whose history contains the event. Default: the object. */
    about?: string | undefined;
  };
}[EventType];

/** Context for recording events: the transaction, the actor and the request. */
export type Recorder = Pick<OperationContext, 'db' | 'actor' | 'requestId'>;

/** Records the events in this order, in the transaction that makes the change. */
export async function recordEvents(recorder: Recorder, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { db } = recorder;
  await insertEvents(db, originOf(recorder), events.map(toRow), (deliveries) => {
    if (deliveries.length > 0) db.notify(DELIVERIES);
  });
  db.notify(EVENTS);
}

/** Records an event for a single webhook. Returns the delivery's id (UUID). */
export async function recordDelivery(recorder: Recorder, event: NewEvent): Promise<string> {
  const { db } = recorder;
  const [delivery] = await insertEvent(db, originOf(recorder), toRow(event));
  if (delivery === undefined) throw new Error(`The event ${event.type} was recorded without a delivery.`);
  db.notify(EVENTS);
  db.notify(DELIVERIES);
  return delivery;
}

function originOf({ actor, requestId }: Recorder) {
  return { request_id: requestId, ...actorColumns(actor) };
}

function toRow({ type, object, changes = {}, onlyTo, about = anyUuid(object.id) as string }: NewEvent) {
  return { type, resource_id: about, object, changes, only_to: onlyTo };
}
