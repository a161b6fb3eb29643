import { toContact } from '../contacts/contact.ts';
import type { ContactRow } from '../contacts/tables.ts';
import { toContent } from '../content/content.ts';
import type { ContentRow } from '../content/tables.ts';
import type { BaseRow } from '../db/tables.ts';
import { sha256 } from '../events/digest.ts';
import {
  convertedEvent,
  createdEvent,
  type ResourceKind,
  type Resources,
  updatedEvents,
} from '../events/record-change.ts';
import type { NewEvent } from '../events/record-events.ts';
import { toLead } from '../leads/lead.ts';
import type { StatusChange } from '../leads/past-times.ts';
import type { LeadRow } from '../leads/tables.ts';
import type { UserRow } from '../users/tables.ts';
import { toUser } from '../users/user.ts';
import type { NewContentRow } from './make-fixtures.ts';
import type { PastEvent } from './queries.ts';

/** The events of a resource that went through these states. */
function eventsOf<K extends ResourceKind, Row extends BaseRow>(
  kind: K,
  toData: (row: Row) => Resources[K],
  states: readonly Row[],
): PastEvent[] {
  let before: Resources[K] | undefined;
  return states.flatMap((state) => {
    const { id, updated_at } = state;
    const after = toData(state);
    const events = before === undefined ? [createdEvent(kind, after)] : updatedEvents(kind, before, after);
    before = after;
    return events.map((event) => pastEvent(event, id, updated_at));
  });
}

export function pastEvent(
  { type, object, changes = {} }: NewEvent,
  resource_id: string,
  occurred_at: PastEvent['occurred_at'],
): PastEvent {
  return { type, object, changes, occurred_at, resource_id };
}

export function userEvents(user: UserRow): PastEvent[] {
  const added = { ...user, active: true, updated_at: user.created_at, version: 1 };
  return eventsOf('user', toUser, user.active ? [user] : [added, user]);
}

export function contentEvents(row: NewContentRow): PastEvent[] {
  const content: ContentRow = { ...row, body_sha256: row.body === null ? null : sha256(row.body) };
  const { published_at, created_at } = content;
  const draft: ContentRow = {
    ...content,
    ...{ status: 'draft', published_at: null, archived_at: null, updated_at: created_at, version: 1 },
  };
  if (published_at === null) return eventsOf('content', toContent, [draft]);
  const published: ContentRow = {
    ...draft,
    ...{ status: 'published', published_at, updated_at: published_at, version: 2 },
  };
  const states = content.archived_at === null ? [draft, published] : [draft, published, content];
  return eventsOf('content', toContent, states);
}

/** The times at which the lead first reached a status, as far as they had come by then. */
function firstTimesBy(lead: LeadRow, moment: string) {
  const columns = ['new_at', 'contacted_at', 'qualified_at', 'won_at', 'lost_at'] as const;
  const known = columns.map((column) => [column, (lead[column] ?? '') <= moment ? lead[column] : null]);
  return Object.fromEntries(known) as Pick<LeadRow, (typeof columns)[number]>;
}

/** Only the last status change may convert the lead, so earlier states have no contact. */
export function leadEvents(lead: LeadRow, changes: readonly StatusChange[]): PastEvent[] {
  const earlier = changes.slice(0, -1).map(({ to_status, changed_at }, index) => ({
    ...lead,
    status: to_status,
    ...{ status_changed_at: changed_at, updated_at: changed_at, version: index + 1 },
    ...firstTimesBy(lead, changed_at),
    ...{ lost_reason: null, contact_id: null },
  }));
  const events = eventsOf('lead', toLead, [...earlier, lead]);
  return lead.contact_id === null
    ? events
    : [...events, pastEvent(convertedEvent(toLead(lead)), lead.id, lead.updated_at)];
}

export function contactEvents(contact: ContactRow): PastEvent[] {
  return eventsOf('contact', toContact, [contact]);
}
