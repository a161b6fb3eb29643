import type { Knex } from 'knex';

const erasePerson = (digests: string) => `
    create or replace function erase_person(fields json, email text) returns json
      language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, case
          when key in ('name', 'text') then to_json('Erased'::text)
          when key = 'email' and value::text <> 'null' then to_json(email)
          when key in ('phone', 'company', 'title', 'external_id', 'lost_reason')${digests} then 'null'::json
          when key = 'tags' then '[]'::json
          when key = 'metadata' then '{}'::json
          else value
        end order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
      );
`;

/**
 * A digest of personal data is personal data, since it proves a guess: it is erased with the person. Users are people too:
 * their names and emails are erased when they are deleted, as those of leads and contacts are.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${erasePerson(" or key like '%\\_sha256'")}

    -- The people whose deletion the log still has.
    -- contract: the table is temporary, and only this migration uses it
    create temporary table erased_people on commit drop as
      select resource_id, object ->> 'id' as public_id, (object ->> 'id') || '@erased.invalid' as email, type
      from events where type in ('lead.deleted', 'contact.deleted', 'user.deleted');

    update events set object = erase_person(object, email), changes = erase_person_changes(changes, email)
    from erased_people
    where events.resource_id = erased_people.resource_id
      and (events.type like 'user.%' or strpos(changes::text, '_sha256') > 0);

    -- The answers with users who are deleted, now or later.
    update idempotency_keys
    set body = erase_people_answer(body, (select jsonb_object_agg(public_id, email) from erased_people))
    where readable_json(body) #>> '{data,id}' in (select public_id from erased_people where type = 'user.deleted');

    update idempotency_keys set people = array[resource_id]
    from events
    where events.type = 'user.created' and readable_json(body) #>> '{data,id}' = object ->> 'id';

    update webhook_attempts set response_body = null
    from webhook_deliveries join erased_people using (resource_id)
    where delivery_id = webhook_deliveries.id and response_body is not null
      and erased_people.type = 'user.deleted' and webhook_deliveries.event_type <> 'user.deleted';
  `);
}

/** What is erased doesn't come back. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(erasePerson(''));
}
