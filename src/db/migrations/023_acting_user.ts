import type { Knex } from 'knex';

/** The user on whose behalf a client acts, and an id for each status change, which pages continue from. Without foreign keys: a history outlives the people in it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_clients add column user_id uuid
      constraint api_clients_user_id_fkey references users on delete set null;
    alter table events add column actor_user_id uuid;
    alter table notes add column actor_user_id uuid;
    alter table imports add column actor_user_id uuid;
    alter table audit_log add column actor_user_id uuid;
    -- The type is null for earlier changes.
    alter table lead_status_changes add column actor_type text, add column actor_user_id uuid,
      add column id uuid not null default new_uuid();
    -- Events show every field of a note.
    update events
    set object = (
      left(regexp_replace(object::text, '("author":\\{[^}]*)\\}', '\\1,"user_id":null}'), -1)
      || ',"author_name":null,"external_id":null}'
    )::json
    where type in ('note.created', 'note.updated') and object -> 'author' -> 'user_id' is null;
    create view lead_status_history as
      select id, lead_id, from_status, to_status, changed_at, seconds, actor_id, actor_user_id, request_id,
        coalesce(actor_type, case
          when actor_id is null then 'system'
          when exists (select from inbound_hooks where inbound_hooks.id = actor_id) then 'hook'
          else 'client'
        end) as actor_type
      from lead_status_changes;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop view lead_status_history;
    alter table lead_status_changes drop column actor_type, drop column actor_user_id, drop column id;
    alter table audit_log drop column actor_user_id;
    alter table imports drop column actor_user_id;
    alter table notes drop column actor_user_id;
    alter table events drop column actor_user_id;
    alter table api_clients drop column user_id;
  `);
}
