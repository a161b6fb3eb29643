import type { PastTimes } from '../../leads/past-times.ts';
import type { Schema } from '../../operation.ts';
import type { OwnerFields } from '../notes/note-owners.ts';

/** How a cell's text becomes a field's value. */
type Kind = 'text' | 'word' | 'choice' | 'phone' | 'tags' | 'json' | 'time' | 'flag';

/** The fields that rows can have, in the order in which they are shown. */
const fieldsOfLeads = {
  name: 'text',
  email: 'word',
  phone: 'phone',
  company: 'text',
  status: 'choice',
  source: 'choice',
  source_detail: 'text',
  tags: 'tags',
  assigned_user_id: 'word',
  content_id: 'word',
  external_id: 'word',
  lost_reason: 'text',
  value: 'json',
  expected_close_on: 'word',
  metadata: 'json',
  created_at: 'time',
  first_contacted_at: 'time',
  first_qualified_at: 'time',
  first_won_at: 'time',
  first_lost_at: 'time',
  status_changed_at: 'time',
} satisfies Record<keyof Schema<'CreateLead'> | keyof PastTimes, Kind>;

const fieldsOfContacts = {
  name: 'text',
  email: 'word',
  phone: 'phone',
  company: 'text',
  title: 'text',
  tags: 'tags',
  assigned_user_id: 'word',
  external_id: 'word',
  metadata: 'json',
  created_at: 'time',
} satisfies Record<keyof Schema<'CreateContact'> | 'created_at', Kind>;

const fieldsOfUsers = {
  name: 'text',
  email: 'word',
  active: 'flag',
} satisfies Record<keyof Schema<'CreateUser'>, Kind>;

const fieldsOfContent = {
  title: 'text',
  slug: 'word',
  type: 'choice',
  summary: 'text',
  body: 'text',
  url: 'word',
  language: 'word',
  author_user_id: 'word',
  tags: 'tags',
  metadata: 'json',
  status: 'choice',
} satisfies Record<keyof Schema<'CreateContent'> | 'status', Kind>;

const fieldsOfNotes = {
  text: 'text',
  pinned: 'flag',
  external_id: 'word',
  author_name: 'text',
  lead_id: 'word',
  lead_external_id: 'word',
  lead_email: 'word',
  contact_id: 'word',
  contact_external_id: 'word',
  contact_email: 'word',
  created_at: 'time',
} satisfies Record<keyof Schema<'CreateNote'> | keyof OwnerFields | 'created_at', Kind>;

export const fieldsOf: Record<Schema<'ImportResource'>, Readonly<Record<string, Kind>>> = {
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
export function isPastTime(resource: Schema<'ImportResource'>, field: string): boolean {
  return fieldsOf[resource][field] === 'time';
}

/** The key of a field within an object: `plan` for `metadata.plan`. */
export function splitField(field: string): [field: string, key: string | undefined] {
  const at = field.indexOf('.');
  return at === -1 ? [field, undefined] : [field.slice(0, at), field.slice(at + 1)];
}

export function isField(resource: Schema<'ImportResource'>, name: string): boolean {
  const [field, key] = splitField(name);
  if (!Object.hasOwn(fieldsOf[resource], field)) return false;
  return key === undefined || (key !== '' && fieldsOf[resource][field] === 'json');
}

/** Fields that several columns may be mapped to, such as a first and a last name. */
export const joined: ReadonlySet<string> = new Set(['name', 'tags']);

/** Common column names in other systems' files, without case, spaces and punctuation. */
export const synonyms: Readonly<Record<string, string>> = {
  fullname: 'name',
  firstname: 'name',
  lastname: 'name',
  emailaddress: 'email',
  mail: 'email',
  phonenumber: 'phone',
  telephone: 'phone',
  mobile: 'phone',
  mobilephone: 'phone',
  companyname: 'company',
  organization: 'company',
  organisation: 'company',
  jobtitle: 'title',
  leadstatus: 'status',
  leadsource: 'source',
  tag: 'tags',
  labels: 'tags',
};
