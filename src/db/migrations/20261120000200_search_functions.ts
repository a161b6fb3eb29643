import type { Knex } from 'knex';

/**
 * How text is searched, in two functions that must agree: what is stored and what is asked are cut into the same
 * words (lower case, no accents, split at everything that is neither letter nor digit), and each asked word is a prefix.
 *
 * unaccent() is only STABLE because its dictionary could be changed; named with its schema it gives the same
 * answer each time, which a stored generated column requires. The ICU collation makes letters, case and digits those of
 * Unicode whatever the locale of the server.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create extension if not exists unaccent with schema public;

    create function search_words(input text) returns text[]
      language sql immutable strict parallel safe
      return array_remove(
        regexp_split_to_array(
          lower(public.unaccent('public.unaccent'::regdictionary, input)) collate "und-x-icu",
          '[^[:alnum:]]+'
        ),
        ''
      );

    create function search_vector(input text) returns tsvector
      language sql immutable strict parallel safe
      return array_to_tsvector(search_words(input));

    create function search_query(input text) returns tsquery
      language sql immutable strict parallel safe
      return coalesce(
        (select string_agg(quote_literal(word) || ':*', ' & ') from unnest(search_words(input)) as word),
        ''
      )::tsquery;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function search_query(text);
    drop function search_vector(text);
    drop function search_words(text);
    drop extension unaccent;
  `);
}
