import type { Knex } from 'knex';

/** Functions that erase deleted people from events and stored responses, and leave everything else unchanged. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- Replaces personal data in the fields of a lead, contact, user or note. A digest of personal data is personal data too,
    -- since it proves a guess.
    create function erase_person(fields json, email text) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, case
          when key in ('name', 'text') then to_json('Erased'::text)
          when key = 'email' and value::text <> 'null' then to_json(email)
          when key in ('phone', 'company', 'title', 'external_id', 'lost_reason') or key like '%\_sha256' then 'null'::json
          when key = 'tags' then '[]'::json
          when key = 'metadata' then '{}'::json
          else value
        end order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
      );

    -- The same in {field: {from, to}}.
    create function erase_person_changes(changes json, email text) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, json_build_object(
          'from', erase_person(json_build_object(key, value -> 'from'), email) -> key,
          'to', erase_person(json_build_object(key, value -> 'to'), email) -> key
        ) order by n), '{}'::json)
        from json_each(changes) with ordinality as field(key, value, n)
      );

    -- The same in a lead, contact, user or note, if it belongs to one of the people. emails is {id: email after the erasure}.
    create function erase_if_person(shown json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select case when jsonb_exists(emails, id) then erase_person(shown, emails ->> id) else shown end
        from (
          select case when shown ->> 'id' like 'note\_%' then coalesce(shown ->> 'lead_id', shown ->> 'contact_id')
            else shown ->> 'id' end as id
        ) as owner
      );

    -- The same in each member of an object.
    create function erase_people_within(shown json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, erase_if_person(value, emails) order by n), '{}'::json)
        from json_each(shown) with ordinality as member(key, value, n)
      );

    -- PostgreSQL stores the escapes of NUL and of lone surrogates as json, but can't turn them into text, so that its
    -- operators fail. This replaces them by U+FFFD. After an escaped backslash they are not escapes.
    create function readable_json(body json) returns json language sql immutable parallel safe
      return case
        when strpos(body::text, '\u0000') > 0 or strpos(lower(body::text), '\ud') > 0 then regexp_replace(
          body::text, '(\?<!\\)((\?:\\\\)*)\\u(\?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1\\ufffd', 'g'
        )::json
        else body
      end;

    -- The same in a stored response: in its data, in members of it, or in the items of a batch.
    create function erase_people_answer(body json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select case
          when json_typeof(body -> 'data') = 'array' then json_build_object(
            'data', (
              select coalesce(json_agg(erase_people_within(item, emails) order by n), '[]'::json)
              from json_array_elements(body -> 'data') with ordinality as items(item, n)
            ),
            'meta', body -> 'meta'
          )
          else json_build_object('data', erase_if_person(erase_people_within(body -> 'data', emails), emails))
        end
        from (select readable_json($1) as body) as readable
      );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function erase_people_answer(json, jsonb), readable_json(json), erase_people_within(json, jsonb),
      erase_if_person(json, jsonb), erase_person_changes(json, text), erase_person(json, text);
  `);
}
