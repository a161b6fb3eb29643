import type { Knex } from 'knex';

/** Ids, the words that searches compare, and digests: functions that several tables use. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create extension if not exists unaccent with schema public;

    -- A UUIDv7 (RFC 9562). PostgreSQL has its own from version 18 on.
    create function new_uuid(at timestamptz default clock_timestamp()) returns uuid
      language sql volatile parallel safe
      return encode(
        set_bit(
          set_bit(
            overlay(
              uuid_send(gen_random_uuid())
              placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6
            ),
            52, 1
          ),
          53, 1
        ),
        'hex'
      )::uuid;

    -- The smallest UUIDv7 of a millisecond. Compare ids with it to select by time.
    create function uuid_bound(at timestamptz) returns uuid
      language sql immutable strict parallel safe
      return (
        lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000'
      )::uuid;

    -- The words of a text, for stored rows and for searches alike: lower case, without accents, split at everything that is
    -- neither a letter nor a digit.
    --
    -- unaccent() is only STABLE because its dictionary could be changed. Generated columns require IMMUTABLE. The ICU
    -- collation defines letters, case and digits as Unicode does, whatever the server's locale.
    --
    -- A tsvector accepts words of up to 2,046 bytes, and a character has up to 4 bytes, so longer texts go through
    -- shortened_search_words(). A text of 300 bytes can't contain a word of 500 characters, even though unaccent() expands
    -- some letters. Short texts skip the subquery, which doubles the time.
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

    create function search_words(input text) returns text[]
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

    create function search_vector(input text) returns tsvector
      language sql immutable strict parallel safe
      return array_to_tsvector(search_words(input));

    -- Matches rows that contain all words of a search, each as a prefix. It leaves out a word that is a prefix of another
    -- one: the longer one implies it. In byte order, a prefix comes directly before a word that begins with it.
    create function search_query(input text) returns tsquery
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

    -- convert_to() is only STABLE because conversions can be replaced. Generated columns require IMMUTABLE.
    create function text_sha256(value text) returns text language sql immutable strict parallel safe
      return encode(sha256(convert_to(value, 'UTF8')), 'hex');
  `);
}
