import type { Schema } from '../operation.ts';
import { toId } from '../values/id.ts';
import { differences } from '../values/merge-patch.ts';
import { changeEntry } from './digest.ts';
import type { EventType } from './event.ts';
import { type NewEvent, type Recorder, recordEvents } from './record-events.ts';

/** Resources whose changes are recorded, by id prefix. */
export interface Resources {
  lead: Schema<'Lead'>;
  contact: Schema<'Contact'>;
  note: Schema<'Note'>;
  content: Schema<'Content'>;
  user: Schema<'User'>;
}

export type ResourceKind = keyof Resources;

/** An event recorded in addition to `.updated`: its condition, and the fields in its `changes`. */
interface DerivedEvent<Data> {
  type: EventType;
  happened(before: Data, after: Data): boolean;
  fields: readonly (keyof Data)[];
}

const statusFields = ['status', 'published_at', 'archived_at'] as const;
const isClosed = (status: Schema<'LeadStatus'>) => status === 'won' || status === 'lost';
const becomes = (status: Schema<'ContentStatus'>) => (before: Schema<'Content'>, after: Schema<'Content'>) =>
  after.status === status && before.status !== status;

/** In recording order. */
const derivedEvents: { [K in ResourceKind]: readonly DerivedEvent<Resources[K]>[] } = {
  lead: [
    {
      type: 'lead.status_changed',
      happened: (before, after) => before.status !== after.status,
      fields: [
        'status',
        'status_changed_at',
        'first_contacted_at',
        'first_qualified_at',
        'first_won_at',
        'first_lost_at',
        'lost_reason',
      ],
    },
    {
      type: 'lead.reopened',
      happened: (before, after) =>
        isClosed(before.status) && !isClosed(after.status) && before.sales_cycle.id !== after.sales_cycle.id,
      fields: ['status', 'sales_cycle', 'value', 'expected_close_on', 'lost_reason'],
    },
    {
      type: 'lead.assigned',
      happened: (before, after) => before.assigned_user_id !== after.assigned_user_id,
      fields: ['assigned_user_id'],
    },
  ],
  contact: [],
  note: [],
  content: [
    { type: 'content.published', happened: becomes('published'), fields: statusFields },
    { type: 'content.unpublished', happened: becomes('draft'), fields: statusFields },
    { type: 'content.archived', happened: becomes('archived'), fields: statusFields },
  ],
  user: [],
};

export async function recordCreated<K extends ResourceKind>(
  recorder: Recorder,
  kind: K,
  object: Resources[K],
): Promise<void> {
  await recordEvents(recorder, [createdEvent(kind, object)]);
}

/** Records the changes that clients can see. Records no event if there are none. */
export async function recordUpdated<K extends ResourceKind>(
  recorder: Recorder,
  kind: K,
  before: Resources[K],
  after: Resources[K],
): Promise<void> {
  await recordEvents(recorder, updatedEvents(kind, before, after));
}

/** `ids` are UUIDs. */
export async function recordDeleted(recorder: Recorder, kind: ResourceKind, ...ids: string[]): Promise<void> {
  const events = ids.map((id) => ({ type: `${kind}.deleted`, object: { id: toId(kind, id) } }) as NewEvent);
  await recordEvents(recorder, events);
}

/** A lead became the contact that it names, by a conversion. */
export function convertedEvent(lead: Resources['lead']): NewEvent {
  return {
    type: 'lead.converted',
    object: lead,
    changes: { contact_id: { from: null, to: lead.contact_id } },
  };
}

export function createdEvent<K extends ResourceKind>(kind: K, object: Resources[K]): NewEvent {
  return { type: `${kind}.created`, object } as NewEvent;
}

export function updatedEvents<K extends ResourceKind>(
  kind: K,
  before: Resources[K],
  after: Resources[K],
): NewEvent[] {
  const changes = changesBetween(before, after);
  if (changes === undefined) return [];
  const event = (type: EventType, eventChanges: object) =>
    ({ type, object: after, changes: eventChanges }) as NewEvent;
  const derived = derivedEvents[kind].filter(({ happened }) => happened(before, after));
  return [
    event(`${kind}.updated`, changes),
    ...derived.map(({ type, fields }) => event(type, pick(changes, fields))),
  ];
}

/** What `changes` of an event says. Undefined if nothing is different. */
export function changesBetween<Data extends object>(before: Data, after: Data): object | undefined {
  const changed: object = differences(before, after);
  if (Object.keys(changed).length === 0) return undefined;
  const { version: _version, updated_at: _updated, ...fields } = changed as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).map(([field, to]) =>
      changeEntry(field, { from: before[field as keyof Data], to }),
    ),
  );
}

function pick(changes: object, fields: readonly PropertyKey[]): object {
  return Object.fromEntries(Object.entries(changes).filter(([field]) => fields.includes(field)));
}
