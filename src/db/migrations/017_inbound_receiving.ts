import type { Knex } from 'knex';

/**
 * Inbound deliveries keep the bytes that came, so that no digit and no character is lost. Inbound hooks answer challenges and
 * browsers.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table inbound_hooks
      add encrypted_verify_token bytea,
      add redirect_url text,
      -- The name of a field that only bots fill in.
      add honeypot text,
      -- Empty for any origin.
      add allowed_origins text[] not null default '{}';
    -- Earlier deliveries have a payload instead of a body.
    alter table inbound_deliveries add body bytea, add content_type text;
  `);
  await countBytes(knex, 'coalesce(octet_length(body), octet_length(payload::text))');
}

/** Drops the bodies: the previous version could not read them. */
export async function down(knex: Knex): Promise<void> {
  await countBytes(knex, 'octet_length(payload::text)');
  await knex.raw(`
    alter table inbound_deliveries drop body, drop content_type;
    alter table inbound_hooks
      drop encrypted_verify_token, drop redirect_url, drop honeypot, drop allowed_origins;
  `);
}

/** Replaces the generated column that limits the storage, since its expression can't be changed before PostgreSQL 17. */
async function countBytes(knex: Knex, length: string): Promise<void> {
  await knex.raw(`
    -- contract: nothing was released yet that reads it
    drop trigger inbound_deliveries_insert_storage on inbound_deliveries;
    -- contract: as above
    drop trigger inbound_deliveries_update_storage on inbound_deliveries;
    -- contract: as above
    drop trigger inbound_deliveries_delete_storage on inbound_deliveries;
    -- contract: as above
    alter table inbound_deliveries drop payload_bytes;

    alter table inbound_deliveries
      -- Includes a kibibyte for the row, its index entries and its event, so that small payloads are limited too.
      add payload_bytes integer not null generated always as (coalesce(${length} + 1024, 0)) stored;
    create index inbound_deliveries_settled_idx on inbound_deliveries (id)
      where payload_bytes > 0 and status <> 'rejected';
    create trigger inbound_deliveries_insert_storage after insert on inbound_deliveries
      for each row when (new.payload_bytes > 0) execute function note_inbound_storage();
    create trigger inbound_deliveries_update_storage after update on inbound_deliveries
      for each row when (new.payload_bytes <> old.payload_bytes) execute function note_inbound_storage();
    create trigger inbound_deliveries_delete_storage after delete on inbound_deliveries
      for each row when (old.payload_bytes > 0) execute function note_inbound_storage();
    -- The triggers did not see that the values changed.
    delete from inbound_storage_changes;
    update inbound_storage set bytes = (select coalesce(sum(payload_bytes), 0) from inbound_deliveries);
  `);
}
