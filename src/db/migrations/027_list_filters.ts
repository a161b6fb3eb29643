import type { Knex } from 'knex';

/** More filters of lists. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- ?company= and ?lost_reason=, by time of creation. Each lead is in one of the indexes for its company.
    create index leads_company_idx on leads (lower(company), created_at, id) where company is not null;
    create index leads_no_company_idx on leads (created_at, id) where company is null;
    create index leads_lost_reason_idx on leads (lower(lost_reason), created_at, id) where lost_reason is not null;
    create index contacts_company_idx on contacts (lower(company), created_at, id) where company is not null;

    -- GET /contacts?has_open_leads=.
    create index leads_open_contact_idx on leads (contact_id)
      where contact_id is not null and status in ('new', 'contacted', 'qualified');

    -- GET /leads?currency=EUR&sort=value. The old index had no id, which breaks ties.
    create index leads_value_idx on leads (value_currency, value_amount, id) where value_currency is not null;
    drop index leads_value_amount_idx;
  `);
  await lastActivity(knex);
}

/** For ?inactive_since=. Notes aren't part of a lead, so they change neither its version nor its updated_at. */
async function lastActivity(knex: Knex): Promise<void> {
  await knex.raw(`
    -- When a note was last written or changed. Null if that was before the lead's updated_at.
    alter table leads add column last_note_at timestamptz(3);
    update leads set last_note_at = note.at
    from (select lead_id, max(updated_at) as at from notes where lead_id is not null group by lead_id) as note
    where leads.id = note.lead_id and note.at > leads.updated_at;
    -- With the included columns, totals and orders are read from the index alone, also of open leads.
    create index leads_last_activity_idx on leads (greatest(updated_at, last_note_at), created_at, id)
      include (updated_at, last_note_at, status);

    create function note_activity() returns trigger language plpgsql as $$
    begin
      update leads set last_note_at = later.at
      from (
        select leads.id, note.at
        from (select lead_id, max(updated_at) as at from new_notes where lead_id is not null group by lead_id) as note
          join leads on leads.id = note.lead_id
        where note.at > greatest(leads.updated_at, leads.last_note_at)
        order by leads.id for no key update of leads
      ) as later
      where leads.id = later.id;
      return null;
    end $$;
    create trigger notes_inserted after insert on notes referencing new table as new_notes
      for each statement execute function note_activity();
    create trigger notes_updated after update on notes referencing new table as new_notes
      for each statement execute function note_activity();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger notes_updated on notes;
    drop trigger notes_inserted on notes;
    drop function note_activity();
    drop index leads_open_contact_idx, contacts_company_idx, leads_lost_reason_idx, leads_no_company_idx, leads_company_idx;
    alter table leads drop column last_note_at;
    create index leads_value_amount_idx on leads (value_currency, value_amount) where value_currency is not null;
    drop index leads_value_idx;
  `);
}
