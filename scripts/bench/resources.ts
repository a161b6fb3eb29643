import { randomUUID } from 'node:crypto';
import { toContact } from '../../src/contacts/contact.ts';
import { toContentWithBody } from '../../src/content/content.ts';
import type { IdPrefix } from '../../src/db/id.ts';
import * as tables from '../../src/db/tables.ts';
import type { Schema } from '../../src/http/operation.ts';
import { toLead } from '../../src/leads/lead.ts';
import { toUser } from '../../src/users/user.ts';

/** What the bench needs of a resource to seed its table, to request it, and to serve it from the yardstick. */
export interface Resource<Row = unknown, Body = unknown> {
  prefix: IdPrefix;
  columns: readonly string[];
  toData(row: Row): unknown;
  /** SQL expressions for the columns of seeded row number `i`, besides its id and timestamps. */
  seeded: Record<string, string>;
  /** A new request body for a create, with unique values. */
  body(): Body;
  /** The row that the yardstick inserts for a body, besides the id. */
  toRow(body: Body): object;
  /** Wraps the insert for a resource that writes more than its own row. `$n` is the next placeholder. */
  wrapInsert?: (insert: string, n: number) => string;
}

const person = {
  name: 'Ada Lovelace',
  phone: '+4915112345678',
  company: 'Analytical Engines',
  tags: ['vip', 'newsletter'],
};
const newEmail = () => `${randomUUID()}@example.com`;

const seededName = { name: `'Person ' || i`, email: `'person' || i || '@example.com'` };
const seededPerson = {
  ...seededName,
  phone: `'+4915112345678'`,
  company: `'Company ' || i % 1000`,
  tags: `array['vip', 'newsletter']`,
};

const leads: Resource<tables.LeadRow, Partial<Schema<'CreateLead'>>> = {
  prefix: 'lead',
  columns: tables.leadColumns,
  toData: toLead,
  seeded: {
    ...seededPerson,
    status: `(array['new', 'contacted', 'qualified', 'won', 'lost'])[1 + i % 5]`,
    source: `(array['api', 'website', 'referral', 'manual'])[1 + i % 4]`,
  },
  body: () => ({ ...person, email: newEmail(), source: 'website' }),
  toRow: ({ name, email, phone, status = 'new', source = 'api', company, tags, external_id }) => ({
    ...{ name, email, phone, status, source, company, tags, assigned_user_id: null, content_id: null },
    ...{ external_id, lost_reason: null, metadata: {} },
  }),
  wrapInsert: (insert, n) => `
    with lead as (${insert}), change as (
      insert into lead_status_changes (lead_id, to_status, changed_at, actor_id, request_id)
      select id, status, status_changed_at, $${n}, 'yardstick' from lead
    )
    select ${tables.leadColumns} from lead`,
};

const contacts: Resource<tables.ContactRow, Partial<Schema<'CreateContact'>>> = {
  prefix: 'contact',
  columns: tables.contactColumns,
  toData: toContact,
  seeded: { ...seededPerson, title: `'Title ' || i % 10` },
  body: () => ({ ...person, email: newEmail(), title: 'Head of Engineering' }),
  toRow: ({ name, email, phone, company, title, tags, external_id }) => ({
    ...{ name, email, phone, company, title, tags, assigned_user_id: null, external_id, metadata: {} },
  }),
};

const content: Resource<tables.ContentRow, Partial<Schema<'CreateContent'>>> = {
  prefix: 'content',
  columns: tables.contentColumns,
  toData: toContentWithBody,
  seeded: {
    title: `'Title ' || i`,
    slug: `'title-' || i`,
    type: `(array['article', 'ebook', 'webinar'])[1 + i % 3]`,
    summary: `'What number ' || i || ' is about'`,
    body: `repeat('Some words of it. ', 20)`,
    language: `'en'`,
    tags: `array['guide', 'pricing']`,
  },
  body: () => ({
    ...{ title: 'Notes on the Analytical Engine', slug: `notes-${randomUUID()}`, type: 'article' },
    ...{ summary: 'What it can and cannot do', body: 'Some words of it. '.repeat(20) },
    ...{ language: 'en', tags: ['guide', 'pricing'] },
  }),
  toRow: ({ title, slug, type, summary, body, url, language, tags }) => ({
    ...{ title, slug, type, summary, body, url, language, author_user_id: null, tags, metadata: {} },
  }),
};

const users: Resource<tables.UserRow, Partial<Schema<'CreateUser'>>> = {
  prefix: 'user',
  columns: tables.userColumns,
  toData: toUser,
  seeded: { ...seededName, active: 'i % 10 <> 0' },
  body: () => ({ name: person.name, email: newEmail() }),
  toRow: ({ name, email, active = true }) => ({ name, email, active }),
};

export const resources = { leads, contacts, content, users };
export type ResourceName = keyof typeof resources;
