import * as filters from '../db/list/filters.ts';
import { defineResource, uniqueEmail } from '../db/resource.ts';
import type { Input } from '../http/operation.ts';
import { type UserRow, userColumns } from './tables.ts';

export const users = defineResource<UserRow>({
  table: 'users',
  prefix: 'user',
  another: 'another user',
  unique: [uniqueEmail],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz', name: 'text' },
  columns: userColumns,
});

export const userFilters: filters.FilterTable<Input<'listUsers'>['query']> = {
  ...filters.dateFilters,
  active: filters.equals('active'),
  email: filters.indexed(filters.equalsIgnoringCase('email')),
};
