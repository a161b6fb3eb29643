import type { PastTimes } from '../../leads/past-times.ts';
import type { Schema } from '../../operation.ts';
import type { OwnerFields } from '../notes/note-owners.ts';

type Resource = Schema<'ImportResource'>;

/** What columns can give: the field, its parts, any key of it, a time that reports show as the past, or a deal, which has some. */
type Kind = 'whole' | readonly string[] | 'keys' | 'past' | 'deal';

/** Users as other systems name them. */
type Assignee = 'assigned_user_email' | 'assigned_user_name';

const name = ['prefix', 'first', 'middle', 'last', 'suffix'];

/** The fields that rows can have, in the order in which they are shown. */
const fieldsOfLeads = {
  name,
  email: 'whole',
  other_emails: 'whole',
  phone: 'whole',
  company: 'whole',
  status: 'whole',
  source: 'whole',
  source_detail: 'whole',
  tags: 'whole',
  assigned_user_id: 'whole',
  assigned_user_email: 'whole',
  assigned_user_name: 'whole',
  content_id: 'whole',
  contact_id: 'whole',
  external_id: 'whole',
  lost_reason: 'whole',
  value: ['amount', 'currency'],
  expected_close_on: 'whole',
  next_step: 'whole',
  next_step_at: 'whole',
  note: 'whole',
  metadata: 'keys',
  created_at: 'past',
  first_contacted_at: 'past',
  first_qualified_at: 'past',
  first_won_at: 'past',
  first_lost_at: 'past',
  status_changed_at: 'past',
  deal_id: 'deal',
  closed_at: 'past',
} satisfies Record<
  keyof Schema<'CreateLead'> | keyof PastTimes | Assignee | 'note' | 'deal_id' | 'closed_at',
  Kind
>;

const fieldsOfContacts = {
  name,
  email: 'whole',
  other_emails: 'whole',
  phone: 'whole',
  company: 'whole',
  title: 'whole',
  next_step: 'whole',
  next_step_at: 'whole',
  tags: 'whole',
  assigned_user_id: 'whole',
  assigned_user_email: 'whole',
  assigned_user_name: 'whole',
  external_id: 'whole',
  note: 'whole',
  metadata: 'keys',
  created_at: 'past',
} satisfies Record<keyof Schema<'CreateContact'> | Assignee | 'created_at' | 'note', Kind>;

const fieldsOfUsers = {
  name,
  email: 'whole',
  active: 'whole',
  external_id: 'whole',
  metadata: 'keys',
} satisfies Record<keyof Schema<'CreateUser'>, Kind>;

const fieldsOfContent = {
  title: 'whole',
  slug: 'whole',
  type: 'whole',
  summary: 'whole',
  body: 'whole',
  url: 'whole',
  language: 'whole',
  author_user_id: 'whole',
  author_user_email: 'whole',
  author_user_name: 'whole',
  tags: 'whole',
  metadata: 'keys',
  status: 'whole',
} satisfies Record<keyof Schema<'CreateContent'> | 'status' | 'author_user_email' | 'author_user_name', Kind>;

const fieldsOfNotes = {
  text: 'whole',
  pinned: 'whole',
  kind: 'whole',
  direction: 'whole',
  occurred_at: 'whole',
  duration_seconds: 'whole',
  external_id: 'whole',
  author_name: 'whole',
  lead_id: 'whole',
  lead_external_id: 'whole',
  lead_email: 'whole',
  contact_id: 'whole',
  contact_external_id: 'whole',
  contact_email: 'whole',
  created_at: 'past',
} satisfies Record<keyof Schema<'CreateNote'> | keyof OwnerFields | 'created_at', Kind>;

export const fieldsOf: Record<Resource, Readonly<Record<string, Kind>>> = {
  leads: fieldsOfLeads,
  contacts: fieldsOfContacts,
  users: fieldsOfUsers,
  content: fieldsOfContent,
  notes: fieldsOfNotes,
};

/** Whether the field says which lead or contact a note is about. */
export function isOwnerOfNote(field: string): boolean {
  return field.startsWith('lead_') || field.startsWith('contact_');
}

/** Whether only an import with the scope `admin` may fill the field, since it changes what reports say about the past. */
export function changesPast(resource: Resource, field: string): boolean {
  return isPastTime(resource, field) || fieldsOf[resource][field] === 'deal';
}

export function isPastTime(resource: Resource, field: string): boolean {
  return fieldsOf[resource][field] === 'past';
}

/** The key of a field within an object: `plan` for `metadata.plan`. */
export function splitField(field: string): [field: string, key: string | undefined] {
  const at = field.indexOf('.');
  return at === -1 ? [field, undefined] : [field.slice(0, at), field.slice(at + 1)];
}

export function isField(resource: Resource, given: string): boolean {
  const [field, key] = splitField(given);
  if (!Object.hasOwn(fieldsOf[resource], field)) return false;
  if (key === undefined) return true;
  const kind = fieldsOf[resource][field];
  return kind === 'keys' ? key !== '' : Array.isArray(kind) && kind.includes(key);
}
