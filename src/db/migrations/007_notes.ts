import type { Knex } from 'knex';

/** Notes about leads and contacts. They are deleted and erased with them. */
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

    -- GET /leads/{id}/notes: its orders, and the filter pinned.
    create index notes_lead_id_idx on notes (lead_id, created_at, id) where lead_id is not null;
    create index notes_lead_id_updated_at_idx on notes (lead_id, updated_at, id) where lead_id is not null;
    create index notes_lead_id_pinned_idx on notes (lead_id, created_at, id) where lead_id is not null and pinned;
    -- The same for contacts.
    create index notes_contact_id_idx on notes (contact_id, created_at, id) where contact_id is not null;
    create index notes_contact_id_updated_at_idx on notes (contact_id, updated_at, id) where contact_id is not null;
    create index notes_contact_id_pinned_idx
      on notes (contact_id, created_at, id) where contact_id is not null and pinned;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table notes');
}
