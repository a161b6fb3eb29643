import type { Db } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare } from '../db/query.ts';
import { defineResource, uniqueEmail, uniqueExternalId } from '../db/resource.ts';
import type { Input } from '../operation.ts';
import { toUuid } from '../values/id.ts';
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

/** The names of users (UUIDs). */
export async function findNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.run<{ id: string; name: string }>(
    knex('users')
      .select('id', 'name')
      .where('id', knex.raw('any(?::uuid[])', [[...ids]])),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Which of these users (UUIDs) exist and are active. Locks them, so that this holds until the transaction ends. */
export async function lockActive(db: Db, ids: string[]): Promise<Set<string>> {
  const found = ids.length === 0 ? [] : await db.run(active({ ids }));
  return new Set(found.map(({ id }) => id));
}

const naming = prepare<{ id: string; uuid: string }, { kind: 'hook' | 'client'; id: string }>(
  'what_names_a_user',
  ($) =>
    knex.raw(
      `select 'hook' as kind, id from inbound_hooks
      where assigned_user_id = ?::uuid or strpos(mapping::text, ?) > 0 or strpos("values"::text, ?) > 0
      union all
      select 'client', id from api_clients where user_id = ?::uuid and disabled_at is null
      order by kind desc, id
      limit 1000`,
      [$('uuid'), $('id'), $('id'), $('uuid')],
    ),
);

/**
 * The inbound hooks that assign leads to the user, also by a rule of their mapping or a translation, and the enabled clients that
 * act for the user.
 */
export async function findNaming(db: Db, id: string): Promise<{ kind: 'hook' | 'client'; id: string }[]> {
  return db.run(naming({ id, uuid: toUuid('user', id) ?? '' }));
}
