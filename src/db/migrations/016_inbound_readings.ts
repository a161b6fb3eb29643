import type { Knex } from 'knex';

/** How inbound hooks read what people type, which deliveries make leads, and what was left out of a lead. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table inbound_hooks
      add default_country text,
      add locale text,
      -- Keeps the order of its keys.
      add "values" json not null default '{}',
      add accept_if jsonb;

    alter table inbound_deliveries
      -- {field, message}, in the order of the fields.
      add warnings json[],
      -- The note about the lead that the delivery made.
      add note_id uuid;
    -- contract: the next constraint allows the same and more
    alter table inbound_deliveries drop constraint inbound_deliveries_status_check;
    alter table inbound_deliveries add constraint inbound_deliveries_status_check
      check (status in ('created', 'merged', 'ignored', 'rejected', 'skipped'));
    -- GET /inbound-hooks/{id}/deliveries?has_warnings=true.
    create index inbound_deliveries_warned_idx on inbound_deliveries (hook_id, created_at, id)
      where warnings is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index inbound_deliveries_warned_idx;
    update inbound_deliveries set status = 'rejected' where status = 'skipped';
    alter table inbound_deliveries drop constraint inbound_deliveries_status_check;
    alter table inbound_deliveries add constraint inbound_deliveries_status_check
      check (status in ('created', 'merged', 'ignored', 'rejected'));
    alter table inbound_deliveries drop warnings, drop note_id;
    alter table inbound_hooks drop default_country, drop locale, drop "values", drop accept_if;
  `);
}
