import type { Knex } from 'knex';

/** Notes about leads and contacts, and what remains of merged ones. */
export async function up(knex: Knex): Promise<void> {
  await notes(knex);
  await merges(knex);
}

/** They are deleted and erased with their lead or contact. */
async function notes(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notes (
      id uuid constraint notes_pkey primary key,
      lead_id uuid constraint notes_lead_id_fkey references leads on delete cascade,
      contact_id uuid constraint notes_contact_id_fkey references contacts on delete cascade,
      text text not null,
      pinned boolean not null default false,
      kind text not null default 'note'
        constraint notes_kind_check check (kind in ('note', 'call', 'email', 'meeting', 'message')),
      direction text constraint notes_direction_check check (direction in ('inbound', 'outbound')),
      -- When what the note is about took place.
      occurred_at timestamptz(3) not null default change_time(),
      duration_seconds integer constraint notes_duration_seconds_check check (duration_seconds >= 0),
      -- Of an imported note: its id in the other system, and its author's name there.
      external_id text constraint notes_external_id_key unique
        constraint notes_external_id_check check (external_id <> ''),
      author_name text constraint notes_author_name_check check (author_name <> ''),
      actor_type text not null constraint notes_actor_type_check check (actor_type in ('client', 'hook', 'system')),
      actor_id uuid,
      actor_user_id uuid,
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      constraint notes_owner_check check (num_nonnulls(lead_id, contact_id) = 1)
    );
    create trigger notes_hold_horizon before insert or update on notes
      for each statement execute function hold_change_horizon();

    -- GET /notes?lead_id=: its orders, and the filter pinned.
    create index notes_lead_id_idx on notes (lead_id, created_at, id) where lead_id is not null;
    create index notes_lead_id_updated_at_idx on notes (lead_id, updated_at, id) where lead_id is not null;
    create index notes_lead_id_pinned_idx on notes (lead_id, created_at, id) where lead_id is not null and pinned;
    -- The same for contacts.
    create index notes_contact_id_idx on notes (contact_id, created_at, id) where contact_id is not null;
    create index notes_contact_id_updated_at_idx on notes (contact_id, updated_at, id) where contact_id is not null;
    create index notes_contact_id_pinned_idx
      on notes (contact_id, created_at, id) where contact_id is not null and pinned;
    -- GET /notes without them: its orders, and its filters by author.
    create index notes_created_at_idx on notes (created_at, id);
    create index notes_updated_at_idx on notes (updated_at, id);
    create index notes_actor_id_idx on notes (actor_id, created_at, id) where actor_id is not null;
    create index notes_actor_user_id_idx on notes (actor_user_id, created_at, id) where actor_user_id is not null;

    -- GET /analytics/activity.
    create index notes_occurred_at_idx on notes (occurred_at)
      include (kind, direction, duration_seconds, actor_user_id, lead_id, contact_id);

    -- Keeps the lead's last_note_at.
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

/**
 * Leads and contacts that were merged into another one. The row lasts as long as the one that stayed, so that requests for the
 * other are told where it went, and erasing the person finds the events of both.
 */
async function merges(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Without foreign keys: id is deleted, and merged_into is a lead or a contact.
    create table merges (
      id uuid constraint merges_pkey primary key,
      kind text not null constraint merges_kind_check check (kind in ('lead', 'contact')),
      -- Never one that was itself merged: then its rows name the one that stayed.
      merged_into uuid not null,
      merged_at timestamptz(3) not null default statement_timestamp(),
      -- The one that was given up, because the one that stayed has its own.
      external_id text,
      -- Those of its addresses, in lower case, for which the one that stayed had no room.
      emails text[] not null default '{}'
    );
    create index merges_merged_into_idx on merges (merged_into);
    create index merges_external_id_idx on merges (kind, external_id) where external_id is not null;
    -- Reports about changes in a period.
    create index merges_merged_at_idx on merges (merged_at) where kind = 'lead';
    create index merges_emails_idx on merges using gin (emails) where emails <> '{}';
  `);
}
