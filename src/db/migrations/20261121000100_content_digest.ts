import type { Knex } from 'knex';

/**
 * Lists, events and webhooks show the digest of content's body instead of the body, which comes with a single piece of
 * content only: 500 events of a body of 200,000 characters were one answer of hundreds of megabytes. The digest is
 * stored, so that a list need not read the bodies.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- convert_to() is only stable, since a conversion can be replaced; that to UTF-8 never gives something else.
    create function text_sha256(value text) returns text language sql immutable strict parallel safe
      return encode(sha256(convert_to(value, 'UTF8')), 'hex');

    alter table content add body_sha256 text generated always as (text_sha256(body)) stored;

    -- In what was recorded the body gives way to its digest, at the same place.
    update events set
      object = (
        select json_object_agg(
          case key when 'body' then 'body_sha256' else key end,
          case key when 'body' then to_json(text_sha256(value #>> '{}')) else value end
          order by n
        )
        from json_each(object) with ordinality as field(key, value, n)
      ),
      changes = (
        select coalesce(json_object_agg(
          case key when 'body' then 'body_sha256' else key end,
          case key when 'body'
            then json_build_object('from', text_sha256(value ->> 'from'), 'to', text_sha256(value ->> 'to'))
            else value
          end
          order by n
        ), '{}')
        from json_each(changes) with ordinality as field(key, value, n)
      )
    where type in ('content.created', 'content.updated', 'content.published', 'content.unpublished', 'content.archived');
  `);
}

/** The bodies that events had are not brought back. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update events set
      object = (
        select json_object_agg(
          case key when 'body_sha256' then 'body' else key end,
          case key when 'body_sha256' then null else value end
          order by n
        )
        from json_each(object) with ordinality as field(key, value, n)
      ),
      changes = (
        select coalesce(json_object_agg(key, value order by n), '{}')
        from json_each(changes) with ordinality as field(key, value, n)
        where key not like '%\\_sha256'
      )
    where type in ('content.created', 'content.updated', 'content.published', 'content.unpublished', 'content.archived');
    alter table content drop body_sha256;
    drop function text_sha256(text);
  `);
}
