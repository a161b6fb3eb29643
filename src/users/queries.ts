import type { Db } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare } from '../db/query.ts';
import { defineResource, uniqueEmail, uniqueExternalId } from '../db/resource.ts';
import type { Input } from '../operation.ts';
import { type UserRow, userColumns } from './tables.ts';

export const users = defineResource<UserRow, 'user'>({
  table: 'users',
  prefix: 'user',
  another: 'another user',
  unique: [uniqueEmail, uniqueExternalId],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz', name: 'text' },
  columns: userColumns,
});

export const userFilters: filters.FilterTable<Input<'listUsers'>['query']> = {
  ...filters.dateFilters,
  active: filters.equals('active'),
  email: filters.hasEmail,
  external_id: filters.indexed(filters.equals('external_id')),
  metadata: filters.hasEntries('metadata'),
};

const active = prepare<{ ids: string[] }, { id: string }>('lock_active_users', ($) =>
  knex('users')
    .select('id')
    .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
    .where('active', true)
    .orderBy('id')
    .forShare(),
);

/** Which of these users (UUIDs) exist and are active. Locks them, so that this holds until the transaction ends. */
export async function lockActive(db: Db, ids: string[]): Promise<Set<string>> {
  const found = ids.length === 0 ? [] : await db.run(active({ ids }));
  return new Set(found.map(({ id }) => id));
}
