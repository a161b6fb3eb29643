import type { Db } from '../db/db.ts';
import { type Condition, condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare } from '../db/query.ts';
import { defineResource, uniqueEmails, uniqueExternalId } from '../db/resource.ts';
import type { Schema } from '../operation.ts';
import { type ContactRow, contactColumns } from './tables.ts';

export const contacts = defineResource<ContactRow, 'contact'>({
  table: 'contacts',
  prefix: 'contact',
  another: 'another contact',
  unique: [uniqueEmails('contact_emails'), uniqueExternalId],
  sortable: {
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    name: 'text',
    next_step_at: 'timestamptz',
  },
  sparse: ['next_step_at'],
  columns: contactColumns,
});

const existing = prepare<{ ids: string[] }, { id: string }>('lock_existing_contacts', ($) =>
  knex('contacts')
    .select('id')
    .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
    .orderBy('id')
    .forKeyShare(),
);

/** Which of these contacts (UUIDs) exist. Locks them against deletion until the transaction ends. */
export async function lockExisting(db: Db, ids: string[]): Promise<Set<string>> {
  const found = ids.length === 0 ? [] : await db.run(existing({ ids }));
  return new Set(found.map(({ id }) => id));
}

export const contactFilters: filters.FilterTable<Schema<'ContactFilter'>> = {
  ...filters.dateFilters,
  tag: filters.hasTag,
  tag_not: filters.hasNoTag,
  assigned_user_id: filters.indexed(filters.refersTo('assigned_user_id', 'user')),
  email: filters.hasEmailIn('contact_emails'),
  phone: filters.hasPhone,
  company: filters.indexed(filters.equalsIgnoringCaseOrNone('company')),
  external_id: filters.indexed(filters.equals('external_id')),
  ids: filters.hasId('contact'),
  has_open_leads: hasOpenLeads,
  ...filters.nextStepFilters,
};

function hasOpenLeads(isSo: boolean): Condition {
  const openLeads = `select from leads where contact_id = contacts.id and status in ('new', 'contacted', 'qualified')`;
  return { ...condition(`${isSo ? '' : 'not '}exists (${openLeads})`), usesGin: true };
}
