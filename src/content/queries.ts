import * as filters from '../db/filters.ts';
import type { Db } from '../db/knex.ts';
import { defineResource } from '../db/resource.ts';
import { run } from '../db/statement.ts';
import { type ContentRow, contentColumns } from '../db/tables.ts';
import type { Input } from '../http/operation.ts';

export const contents = defineResource<ContentRow>({
  table: 'content',
  prefix: 'content',
  another: 'other content',
  unique: [{ column: 'slug', matches: filters.equals('slug') }],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz', title: 'text' },
  columns: contentColumns,
});

export const contentFilters: filters.FilterTable<Input<'listContent'>['query']> = {
  status: filters.anyOf('status'),
  type: filters.anyOf('type'),
  language: filters.anyOfIgnoringCase('language'),
  author_user_id: filters.refersTo('author_user_id', 'user'),
  slug: filters.equals('slug'),
  tag: filters.overlaps('tags'),
  published_from: filters.from('published_at'),
  published_to: filters.to('published_at'),
  ...filters.dateFilters,
};

/** Of these slugs, those that content has. */
export async function findSlugs(db: Db, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await run<{ slug: string }>(db, {
    name: 'content_slugs',
    sql: 'select slug from content where slug = any(?)',
    bindings: [slugs],
  });
  return new Set(rows.map(({ slug }) => slug));
}
