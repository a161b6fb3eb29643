import { toId } from '../db/id.ts';
import type { Schema } from '../http/operation.ts';
import { differences } from '../merge-patch.ts';
import { changeEntry } from './digest.ts';
import type { EventType } from './event.ts';
import { type NewEvent, type Recorder, recordEvents } from './record-events.ts';

/** Resources whose changes are recorded, by id prefix. */
export interface Resources {
  lead: Schema<'Lead'>;
  contact: Schema<'Contact'>;
  content: Schema<'Content'>;
  user: Schema<'User'>;
}

export type Kind = keyof Resources;

/** A change of a resource: its public representation before and after. */
interface Change<Data> {
  /** UUID. */
  id: string;
  before: Data;
  after: Data;
}

/** An event in addition to `.updated`: when it happens, and the fields in its `changes`. */
interface DerivedEvent<Data> {
  type: EventType;
  happened(before: Data, after: Data): boolean;
  fields: readonly (keyof Data)[];
}

const statusFields = ['status', 'published_at', 'archived_at'] as const;
const becomes = (status: Schema<'ContentStatus'>) => (before: Schema<'Content'>, after: Schema<'Content'>) =>
  after.status === status && before.status !== status;

/** In recording order. */
const derivedEvents: { [K in Kind]: readonly DerivedEvent<Resources[K]>[] } = {
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
      type: 'lead.assigned',
      happened: (before, after) => before.assigned_user_id !== after.assigned_user_id,
      fields: ['assigned_user_id'],
    },
    {
      type: 'lead.converted',
      happened: (before, after) => before.contact_id === null && after.contact_id !== null,
      fields: ['contact_id'],
    },
  ],
  contact: [],
  content: [
    { type: 'content.published', happened: becomes('published'), fields: statusFields },
    { type: 'content.unpublished', happened: becomes('draft'), fields: statusFields },
    { type: 'content.archived', happened: becomes('archived'), fields: statusFields },
  ],
  user: [],
};

export async function recordCreated<K extends Kind>(
  recorder: Recorder,
  kind: K,
  id: string,
  object: Resources[K],
): Promise<void> {
  await recordEvents(recorder, [createdEvent(kind, id, object)]);
}

/** Records the changes visible to clients. Records no event if there are none. */
export async function recordChange<K extends Kind, Row extends { id: string }>(
  recorder: Recorder,
  kind: K,
  toData: (row: Row) => Resources[K],
  before: Row,
  after: Row,
): Promise<void> {
  if (after === before) return;
  await recordChanges(recorder, kind, [{ id: after.id, before: toData(before), after: toData(after) }]);
}

export async function recordChanges<K extends Kind>(
  recorder: Recorder,
  kind: K,
  changes: readonly Change<Resources[K]>[],
): Promise<void> {
  await recordEvents(
    recorder,
    changes.flatMap((change) => changeEvents(kind, change)),
  );
}

export async function recordDeleted(recorder: Recorder, kind: Kind, resourceId: string): Promise<void> {
  const object = { id: toId(kind, resourceId) };
  await recordEvents(recorder, [{ type: `${kind}.deleted`, resourceId, object }]);
}

export function createdEvent<K extends Kind>(kind: K, resourceId: string, object: Resources[K]): NewEvent {
  return { type: `${kind}.created`, resourceId, object } as NewEvent;
}

export function changeEvents<K extends Kind>(
  kind: K,
  { id, before, after }: Change<Resources[K]>,
): NewEvent[] {
  const changed = differences(before, after);
  const { version: _version, updated_at: _updated, ...fields } = changed;
  if (Object.keys(changed).length === 0) return [];
  const changes = Object.fromEntries(
    Object.entries(fields).map(([field, to]) =>
      changeEntry(field, { from: before[field as keyof Resources[K]], to }),
    ),
  );
  const event = (type: EventType, eventChanges: object) =>
    ({ type, resourceId: id, object: after, changes: eventChanges }) as NewEvent;
  const derived = derivedEvents[kind].filter(({ happened }) => happened(before, after));
  return [
    event(`${kind}.updated`, changes),
    ...derived.map(({ type, fields }) => event(type, pick(changes, fields))),
  ];
}

function pick(changes: object, fields: readonly PropertyKey[]): object {
  return Object.fromEntries(Object.entries(changes).filter(([field]) => fields.includes(field)));
}
