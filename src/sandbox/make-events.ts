import { toContact } from '../contacts/contact.ts';
import type { ContactRow } from '../contacts/tables.ts';
import { toContent } from '../content/content.ts';
import type { ContentRow } from '../content/tables.ts';
import type { BaseRow } from '../db/tables.ts';
import { sha256 } from '../events/digest.ts';
import { createdEvent, type ResourceKind, type Resources, updatedEvents } from '../events/record-change.ts';
import { toLead } from '../leads/lead.ts';
import type { LeadRow, LeadStatus, LeadStatusChangeRow } from '../leads/tables.ts';
import type { UserRow } from '../users/tables.ts';
import { toUser } from '../users/user.ts';
import type { NewContentRow, PastEvent } from './queries.ts';

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
    return events.map(({ type, object, changes = {} }) => ({
      ...{ type, object, changes },
      occurred_at: updated_at,
      resource_id: id,
    }));
  });
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

type FirstTimes = Pick<LeadRow, 'new_at' | 'contacted_at' | 'qualified_at' | 'won_at' | 'lost_at'>;

/** When a lead with these status changes first entered each status or a later one. */
export function firstTimes(changes: readonly LeadStatusChangeRow[]): FirstTimes {
  const first = (...statuses: LeadStatus[]) =>
    changes.find(({ to_status }) => statuses.includes(to_status))?.changed_at ?? null;
  return {
    new_at: first('new', 'contacted', 'qualified', 'won'),
    contacted_at: first('contacted', 'qualified', 'won'),
    qualified_at: first('qualified', 'won'),
    won_at: first('won'),
    lost_at: first('lost'),
  };
}

/** Only the last status change may convert the lead, so earlier states have no contact. */
export function leadEvents(lead: LeadRow, changes: readonly LeadStatusChangeRow[]): PastEvent[] {
  const earlier = changes.slice(0, -1).map(({ to_status, changed_at }, index) => ({
    ...lead,
    status: to_status,
    ...{ status_changed_at: changed_at, updated_at: changed_at, version: index + 1 },
    ...firstTimes(changes.slice(0, index + 1)),
    ...{ lost_reason: null, contact_id: null },
  }));
  return eventsOf('lead', toLead, [...earlier, lead]);
}

export function contactEvents(contact: ContactRow): PastEvent[] {
  return eventsOf('contact', toContact, [contact]);
}
