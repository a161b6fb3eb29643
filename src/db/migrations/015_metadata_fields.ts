import type { Knex } from 'knex';

/**
 * Declared keys of metadata, whose values have a JSON type. The columns indexed_1 to indexed_10 of leads, contacts and content
 * have the values of up to ten keys again, for ranges, sorts and reports. So a new key needs no DDL, and PostgreSQL has
 * statistics of each.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table metadata_fields (
      id uuid constraint metadata_fields_pkey primary key,
      resource text not null
        constraint metadata_fields_resource_check check (resource in ('leads', 'contacts', 'content')),
      key text not null,
      label text,
      type text not null
        constraint metadata_fields_type_check check (type in ('text', 'number', 'boolean', 'date', 'choice')),
      options text[],
      -- The number of the column with its values.
      slot integer constraint metadata_fields_slot_check check (slot between 1 and 10),
      status text not null default 'converting'
        constraint metadata_fields_status_check check (status in ('converting', 'active', 'archived')),
      -- Whether values are written with their JSON type. Until every stored value fits, they are texts.
      is_typed boolean not null default false,
      -- The job that converts the stored values, or did.
      job_id uuid not null,
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      constraint metadata_fields_key unique (resource, key),
      constraint metadata_fields_slot_key unique (resource, slot),
      constraint metadata_fields_options_check check ((options is not null) = (type = 'choice'))
    );
    create trigger metadata_fields_hold_horizon before insert or update on metadata_fields
      for each statement execute function hold_change_horizon();

    -- Held, shared, by each transaction that writes metadata. Whoever holds it alone knows that all others will read
    -- metadata_fields again before they write.
    create function metadata_lock() returns bigint language sql immutable parallel safe return 17763::bigint << 48;

    create function declared_metadata(of text) returns setof metadata_fields language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(metadata_lock());
      return query select * from metadata_fields where resource = of;
    end $$;
  `);
}
