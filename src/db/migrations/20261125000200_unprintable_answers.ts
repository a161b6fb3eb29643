import type { Knex } from 'knex';

const body = `
    json_typeof(body -> 'data') = 'array' then json_build_object(
          'data', (
            select coalesce(json_agg(erase_people_within(item, emails) order by n), '[]'::json)
            from json_array_elements(body -> 'data') with ordinality as items(item, n)
          ),
          'meta', body -> 'meta'
        )
        else json_build_object('data', erase_if_person(erase_people_within(body -> 'data', emails), emails))
      end`;

/**
 * PostgreSQL stores the escapes of NUL and of lone surrogates as JSON, but no JSON operator reads them. A stored answer that
 * repeated such a key of a request made everybody in that answer undeletable.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    -- JSON that every operator can read: U+FFFD replaces the escapes that PostgreSQL can't turn into text. After an escaped
    -- backslash they are no escapes.
    create function readable_json(body json) returns json language sql immutable parallel safe
      return case
        when strpos(body::text, '\u0000') > 0 or strpos(lower(body::text), '\ud') > 0 then regexp_replace(
          body::text, '(\?<!\\)((\?:\\\\)*)\\u(\?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1\\ufffd', 'g'
        )::json
        else body
      end;

    create or replace function erase_people_answer(body json, emails jsonb) returns json
      language sql immutable parallel safe
      return (select case when ${body} from (select readable_json($1) as body) as readable);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function erase_people_answer(body json, emails jsonb) returns json
      language sql immutable parallel safe
      return case when ${body};

    drop function readable_json(json);
  `);
}
