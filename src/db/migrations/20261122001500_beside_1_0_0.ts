import type { Knex } from 'knex';

/** What processes of version 1.0.0 need while they serve beside newer ones. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function erase_person_answer(body json, id text, email text) returns json
      language sql immutable parallel safe
      return erase_people_answer(body, jsonb_build_object(id, email));

    -- They show no event that has other fields than those that they know.
    update events set object = (left(object::text, -length(added)) || '}')::json
    from (values (',"value":null,"expected_close_on":null}')) as backfill (added)
    where type like 'lead.%' and type <> 'lead.deleted' and right(object::text, length(added)) = added;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function erase_person_answer(json, text, text);

    update events set object = (left(object::text, -1) || ',"value":null,"expected_close_on":null}')::json
    where type like 'lead.%' and type <> 'lead.deleted' and object -> 'expected_close_on' is null;
  `);
}
