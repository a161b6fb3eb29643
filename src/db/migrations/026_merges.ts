import type { Knex } from 'knex';

/**
 * Leads and contacts that were merged into another one. The row lasts as long as the one that stayed, so that requests for the
 * other are told where it went, and erasing the person finds the events of both.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Without foreign keys: id is deleted, and merged_into is a lead or a contact.
    create table merges (
      id uuid constraint merges_pkey primary key,
      kind text not null constraint merges_kind_check check (kind in ('lead', 'contact')),
      -- Never one that was itself merged: then its rows name the one that stayed.
      merged_into uuid not null,
      merged_at timestamptz(3) not null default statement_timestamp(),
      -- The one that was given up, because the one that stayed has its own.
      external_id text
    );
    create index merges_merged_into_idx on merges (merged_into);
    create index merges_external_id_idx on merges (kind, external_id) where external_id is not null;
    -- Reports about changes in a period.
    create index merges_merged_at_idx on merges (merged_at) where kind = 'lead';

    -- What became of an import's rows. An index on import_rows.resource_id would slow down every import.
    create view imported_rows as
      select id, "row", outcome,
        coalesce((select merged_into from merges where merges.id = import_rows.resource_id), resource_id) as resource_id
      from import_rows;

    -- The lead that changed its status, if it was merged into this one later.
    alter table lead_status_changes add column merged_from uuid;
    create or replace view lead_status_history as
      select id, lead_id, from_status, to_status, changed_at, seconds, actor_id, actor_user_id, request_id,
        coalesce(actor_type, case
          when actor_id is null then 'system'
          when exists (select from inbound_hooks where inbound_hooks.id = actor_id) then 'hook'
          else 'client'
        end) as actor_type,
        merged_from
      from lead_status_changes;
  `);
  await knex.raw(secondsInStatus('to_status = left_status and merged_from is null'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(secondsInStatus('to_status = left_status'));
  await knex.raw(`
    drop view imported_rows;
    drop view lead_status_history;
    create view lead_status_history as
      select id, lead_id, from_status, to_status, changed_at, seconds, actor_id, actor_user_id, request_id,
        coalesce(actor_type, case
          when actor_id is null then 'system'
          when exists (select from inbound_hooks where inbound_hooks.id = actor_id) then 'hook'
          else 'client'
        end) as actor_type
      from lead_status_changes;
    alter table lead_status_changes drop column merged_from;
    drop table merges;
  `);
}

/** The function of 006_leads, with this condition for the change with which the lead entered the status. */
function secondsInStatus(entered: string): string {
  return `
    create or replace function seconds_in_status(lead uuid, left_status text, left_at timestamptz) returns integer
      language plpgsql stable as $$
    begin
      -- The condition on to_status is a filter, so that PostgreSQL reads the lead's few changes in their index. With all
      -- three in WHERE, it searched the other index backwards, past every other lead's changes to this status.
      return greatest(0, floor(date_part('epoch', left_at - max(changed_at) filter (where ${entered}))))
      from lead_status_changes
      where lead_id = lead and changed_at <= left_at;
    end $$;`;
}
