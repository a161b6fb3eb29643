import type { Knex } from 'knex';

/** Many persons are erased from a stored answer at once, which may be that to a batch, with a thousand of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A lead, contact or note, if it is of one of the persons: emails is {id: email after the erasure}.
    create function erase_if_person(shown json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select case when jsonb_exists(emails, id) then erase_person(shown, emails ->> id) else shown end
        from (
          select case when shown ->> 'id' like 'note\\_%' then coalesce(shown ->> 'lead_id', shown ->> 'contact_id')
            else shown ->> 'id' end as id
        ) as owner
      );

    -- In the members of an object.
    create function erase_people_within(shown json, emails jsonb) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, erase_if_person(value, emails) order by n), '{}'::json)
        from json_each(shown) with ordinality as member(key, value, n)
      );

    -- In {data}, in a member of it, or in the lead or contact of an item of a batch.
    create function erase_people_answer(body json, emails jsonb) returns json language sql immutable parallel safe
      return case
        when json_typeof(body -> 'data') = 'array' then json_build_object(
          'data', (
            select coalesce(json_agg(erase_people_within(item, emails) order by n), '[]'::json)
            from json_array_elements(body -> 'data') with ordinality as items(item, n)
          ),
          'meta', body -> 'meta'
        )
        else json_build_object('data', erase_if_person(erase_people_within(body -> 'data', emails), emails))
      end;

    drop function erase_person_answer(json, text, text);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create function erase_person_answer(body json, id text, email text) returns json
      language sql immutable parallel safe
      return json_build_object('data', case
        when id in (body #>> '{data,id}', body #>> '{data,lead_id}', body #>> '{data,contact_id}')
          then erase_person(body -> 'data', email)
        else (
          select json_object_agg(key, case
            when json_typeof(value) = 'object' and value ->> 'id' = id then erase_person(value, email)
            else value
          end order by n)
          from json_each(body -> 'data') with ordinality as member(key, value, n)
        )
      end);

    drop function erase_people_answer(json, jsonb), erase_people_within(json, jsonb), erase_if_person(json, jsonb);
  `);
}
