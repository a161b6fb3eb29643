import type { Knex } from 'knex';

/** What helps to recognize an API key, and to see whether anyone still uses it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The last four characters. Null for older keys, of which only the hash is known.
    alter table api_keys add column hint text;
    alter table api_keys add column last_used_at timestamptz(3);
    -- Not when last_used_at changes: every process would verify all its credentials again.
    create or replace trigger api_keys_notify
      after update of client_id, name, scopes, key_hash, expires_at, revoked_at on api_keys
      for each statement execute function notify_auth_changed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace trigger api_keys_notify after update on api_keys
      for each statement execute function notify_auth_changed();
    alter table api_keys drop column hint, drop column last_used_at;
  `);
}
