import type { Knex } from 'knex';

/**
 * Cuts words after 500 characters: a tsvector takes words of up to 2,046 bytes, and a character has up to 4. Before version
 * 18.6, PostgreSQL garbled longer words; since then it refuses them. A text of 300 bytes can't contain a word of 500
 * characters, even though unaccent() makes some letters longer. Such texts skip the subquery, which doubles the time.
 *
 * A search looks up each word once. It skips a word that begins another one, since whatever begins with the longer word
 * also begins with the shorter one. In byte order, such a word comes directly before a word that it begins.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function shortened_search_words(input text) returns text[]
      language sql immutable strict parallel safe
      return array(
        select left(word, 500)
        from regexp_split_to_table(
          lower(public.unaccent('public.unaccent'::regdictionary, input)) collate "und-x-icu",
          '[^[:alnum:]]+'
        ) as word
        where word <> ''
      );

    create or replace function search_words(input text) returns text[]
      language sql immutable strict parallel safe
      return case
        when octet_length(input) > 300 then shortened_search_words(input)
        else array_remove(
          regexp_split_to_array(
            lower(public.unaccent('public.unaccent'::regdictionary, input)) collate "und-x-icu",
            '[^[:alnum:]]+'
          ),
          ''
        )
      end;

    create or replace function search_query(input text) returns tsquery
      language sql immutable strict parallel safe
      return coalesce(
        (
          select string_agg(quote_literal(word) || ':*', ' & ')
          from (
            select word, lead(word) over (order by word collate "C") as next
            from unnest(search_words(input)) as word
          ) as ordered
          where next is null or not starts_with(next, word)
        ),
        ''
      )::tsquery;

    -- Of all searched fields, only a summary can have such a long word.
    update content set summary = summary
    where octet_length(summary) > 1000
      and exists (select from unnest(search_words(summary)) as word where length(word) = 500);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function search_query(input text) returns tsquery
      language sql immutable strict parallel safe
      return coalesce(
        (select string_agg(quote_literal(word) || ':*', ' & ') from unnest(search_words(input)) as word),
        ''
      )::tsquery;

    create or replace function search_words(input text) returns text[]
      language sql immutable strict parallel safe
      return array_remove(
        regexp_split_to_array(
          lower(public.unaccent('public.unaccent'::regdictionary, input)) collate "und-x-icu",
          '[^[:alnum:]]+'
        ),
        ''
      );

    drop function shortened_search_words(text);
  `);
}
