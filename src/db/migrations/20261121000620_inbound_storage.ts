import type { Knex } from 'knex';

/**
 * How much is kept of what came in by inbound hooks, so that it can be bounded. Each change of it is a row of its own,
 * so that no two requests wait for each other; a chore adds them up, and who asks adds what is left.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A payload counts with a kibibyte for its row, index entries and event, so that small ones are bounded too.
    alter table inbound_deliveries add payload_bytes integer not null
      generated always as (coalesce(octet_length(payload::text) + 1024, 0)) stored;
    -- Whose payloads are dropped first, the oldest of them.
    create index inbound_deliveries_settled_idx on inbound_deliveries (id)
      where payload_bytes > 0 and status <> 'rejected';

    create table inbound_storage (
      singleton boolean constraint inbound_storage_pkey primary key default true
        constraint inbound_storage_singleton_check check (singleton),
      bytes bigint not null
    );
    create table inbound_storage_changes (bytes bigint not null);
    insert into inbound_storage (bytes) select coalesce(sum(payload_bytes), 0) from inbound_deliveries;

    create function inbound_storage_used() returns bigint language sql stable
      return (select bytes from inbound_storage) + (select coalesce(sum(bytes), 0)::bigint from inbound_storage_changes);

    -- Adds up to so many changes to the sum; tells how many there were.
    create function fold_inbound_storage(most integer) returns integer language sql as $$
      with folded as (
        delete from inbound_storage_changes where ctid = any (array (
          select ctid from inbound_storage_changes limit most for update skip locked
        ))
        returning bytes
      ), added as (
        update inbound_storage set bytes = inbound_storage.bytes + total
        from (select sum(bytes) as total from folded) as folding where total is not null
      )
      select count(*)::integer from folded
    $$;

    create function note_inbound_storage() returns trigger language plpgsql as $$
    begin
      insert into inbound_storage_changes values (coalesce(new.payload_bytes, 0) - coalesce(old.payload_bytes, 0));
      return null;
    end $$;
    create trigger inbound_deliveries_insert_storage after insert on inbound_deliveries
      for each row when (new.payload_bytes > 0) execute function note_inbound_storage();
    create trigger inbound_deliveries_update_storage after update on inbound_deliveries
      for each row when (new.payload_bytes <> old.payload_bytes) execute function note_inbound_storage();
    create trigger inbound_deliveries_delete_storage after delete on inbound_deliveries
      for each row when (old.payload_bytes > 0) execute function note_inbound_storage();

    create function forget_inbound_storage() returns trigger language plpgsql as $$
    begin
      delete from inbound_storage_changes;
      update inbound_storage set bytes = 0;
      return null;
    end $$;
    create trigger inbound_deliveries_truncate_storage after truncate on inbound_deliveries
      for each statement execute function forget_inbound_storage();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger inbound_deliveries_truncate_storage on inbound_deliveries;
    drop trigger inbound_deliveries_delete_storage on inbound_deliveries;
    drop trigger inbound_deliveries_update_storage on inbound_deliveries;
    drop trigger inbound_deliveries_insert_storage on inbound_deliveries;
    drop function forget_inbound_storage(), note_inbound_storage(), fold_inbound_storage(integer), inbound_storage_used();
    drop table inbound_storage_changes, inbound_storage;
    drop index inbound_deliveries_settled_idx;
    alter table inbound_deliveries drop payload_bytes;
  `);
}
