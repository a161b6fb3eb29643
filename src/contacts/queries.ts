import type { Db } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare } from '../db/query.ts';
import { defineResource, uniqueEmail, uniqueExternalId } from '../db/resource.ts';
import type { Input } from '../http/operation.ts';
import { type ContactRow, contactColumns } from './tables.ts';

export const contacts = defineResource<ContactRow, 'contact'>({
  table: 'contacts',
  prefix: 'contact',
  another: 'another contact',
  unique: [uniqueEmail, uniqueExternalId],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz', name: 'text' },
  columns: contactColumns,
});

export const contactFilters: filters.FilterTable<Input<'listContacts'>['query']> = {
  ...filters.dateFilters,
  tag: filters.overlaps('tags'),
  metadata: filters.hasEntries('metadata'),
  assigned_user_id: filters.indexed(filters.refersTo('assigned_user_id', 'user')),
  email: filters.indexed(filters.equalsIgnoringCase('email')),
  external_id: filters.indexed(filters.equals('external_id')),
};

const contactByEmail = prepare<{ email: string }, ContactRow>('contact_by_email', ($) =>
  knex('contacts')
    .whereRaw('lower(email) = lower(?)', [$('email')])
    .select(...contactColumns)
    .forKeyShare(),
);

/** The contact with this email, locked against deletion until the transaction ends. */
export async function findContactByEmail(db: Db, email: string): Promise<ContactRow | undefined> {
  const [row] = await db.run(contactByEmail({ email }));
  return row;
}

const contactByExternalId = prepare<{ externalId: string }, ContactRow>('contact_by_external_id', ($) =>
  knex('contacts')
    .where({ external_id: $('externalId') })
    .select(...contactColumns)
    .forNoKeyUpdate(),
);

/** The contact with this external id, locked for update until the transaction ends. */
export async function lockContactByExternalId(db: Db, externalId: string): Promise<ContactRow | undefined> {
  const [row] = await db.run(contactByExternalId({ externalId }));
  return row;
}
