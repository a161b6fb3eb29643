import type { Db } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare } from '../db/query.ts';
import { defineResource, type Resource } from '../db/resource.ts';
import type { Input } from '../operation.ts';
import { type ContentRow, contentColumns, type ListedContentRow, listedContentColumns } from './tables.ts';

export const contents = defineResource<ContentRow, 'content'>({
  table: 'content',
  prefix: 'content',
  another: 'other content',
  unique: [{ column: 'slug' }],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz', title: 'text' },
  columns: contentColumns,
});

/** Content without the body, which lists don't show. */
export const listedContents: Resource<ListedContentRow> = { ...contents, columns: listedContentColumns };

export const contentFilters: filters.FilterTable<Input<'listContent'>['query']> = {
  status: filters.indexed(filters.anyOf('status')),
  type: filters.indexed(filters.anyOf('type')),
  language: filters.anyOfIgnoringCase('language'),
  author_user_id: filters.indexed(filters.refersTo('author_user_id', 'user')),
  slug: filters.indexed(filters.equals('slug')),
  tag: filters.hasTag,
  tag_not: filters.hasNoTag,
  published_from: filters.from('published_at'),
  published_to: filters.to('published_at'),
  ...filters.dateFilters,
};

const existing = prepare<{ ids: string[] }, { id: string }>('lock_existing_content', ($) =>
  knex('content')
    .select('id')
    .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
    .orderBy('id')
    .forKeyShare(),
);

/** Which of these pieces of content (UUIDs) exist. Locks them against deletion until the transaction ends. */
export async function lockExisting(db: Db, ids: string[]): Promise<Set<string>> {
  const found = ids.length === 0 ? [] : await db.run(existing({ ids }));
  return new Set(found.map(({ id }) => id));
}

/** The slug with the suffix `-n`, shortened so that both fit within the maximum length. */
const numbered = (n: string) =>
  knex.raw(`rtrim(left(words, max_length - 1 - length(??::text)), '-') || '-' || ??`, [n, n]);
const isTaken = (n: string) => knex.raw('exists (select from content where slug = ?)', [numbered(n)]);

const freeSlug = prepare<{ words: string; maxLength: number }, { slug: string }>('free_content_slug', ($) =>
  knex.raw(
    `with recursive given as (select ?::text as words, ?::int as max_length),
      doubled (n) as (
        select 2::bigint union all select n * 2 from doubled, given where ?
      ),
      halved (taken, free) as (
        select max(n) / 2, max(n) from doubled
        union all
        select case when is_taken then middle else taken end, case when is_taken then free else middle end
        from halved, given,
          lateral (select (taken + free) / 2 as middle) as between_them,
          lateral (select ? as is_taken) as looked_up
        where free - taken > 1
      )
      select ? as slug from halved, given order by free limit 1`,
    [$('words'), $('maxLength'), isTaken('n'), isTaken('middle'), numbered('free')],
  ),
);

/**
 * Returns the first free slug of the form `words-2`, `words-3`, and so on. Doubles the number until it is free, then
 * bisects: a few dozen lookups suffice, however many slugs are taken.
 */
export async function findFreeSlug(db: Db, words: string, maxLength: number): Promise<string> {
  const [free] = await db.run(freeSlug({ words, maxLength }));
  return free?.slug as string;
}

/** The titles of content (UUIDs). */
export async function findTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.run<{ id: string; title: string }>(
    knex('content')
      .select('id', 'title')
      .where('id', knex.raw('any(?::uuid[])', [[...ids]])),
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}
