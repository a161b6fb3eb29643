import type { Knex } from 'knex';

/** Notes about leads and contacts, which are deleted and erased together with them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notes (
      id uuid constraint notes_pkey primary key,
      lead_id uuid constraint notes_lead_id_fkey references leads on delete cascade,
      contact_id uuid constraint notes_contact_id_fkey references contacts on delete cascade,
      text text not null,
      pinned boolean not null default false,
      actor_type text not null constraint notes_actor_type_check check (actor_type in ('client', 'hook', 'system')),
      actor_id uuid,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      constraint notes_owner_check check (num_nonnulls(lead_id, contact_id) = 1)
    );
    create index notes_lead_id_idx on notes (lead_id, created_at, id) where lead_id is not null;
    create index notes_contact_id_idx on notes (contact_id, created_at, id) where contact_id is not null;
    create index notes_lead_id_updated_at_idx on notes (lead_id, updated_at, id) where lead_id is not null;
    create index notes_contact_id_updated_at_idx on notes (contact_id, updated_at, id) where contact_id is not null;
    create index notes_lead_id_pinned_idx on notes (lead_id, created_at, id) where lead_id is not null and pinned;
    create index notes_contact_id_pinned_idx
      on notes (contact_id, created_at, id) where contact_id is not null and pinned;

    create or replace function erase_person(fields json, email text) returns json
      language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, case
          when key in ('name', 'text') then to_json('Erased'::text)
          when key = 'email' and value::text <> 'null' then to_json(email)
          when key in ('phone', 'company', 'title', 'external_id', 'lost_reason') then 'null'::json
          when key = 'tags' then '[]'::json
          when key = 'metadata' then '{}'::json
          else value
        end order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
      );

    -- In {data}, or in a member of it, or in a note about the person.
    create or replace function erase_person_answer(body json, id text, email text) returns json
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
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function erase_person(fields json, email text) returns json
      language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, case
          when key = 'name' then to_json('Erased'::text)
          when key = 'email' and value::text <> 'null' then to_json(email)
          when key in ('phone', 'company', 'title', 'external_id', 'lost_reason') then 'null'::json
          when key = 'tags' then '[]'::json
          when key = 'metadata' then '{}'::json
          else value
        end order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
      );

    create or replace function erase_person_answer(body json, id text, email text) returns json
      language sql immutable parallel safe
      return json_build_object('data', case
        when body #>> '{data,id}' = id then erase_person(body -> 'data', email)
        else (
          select json_object_agg(key, case
            when json_typeof(value) = 'object' and value ->> 'id' = id then erase_person(value, email)
            else value
          end order by n)
          from json_each(body -> 'data') with ordinality as member(key, value, n)
        )
      end);

    drop table notes;
  `);
}
