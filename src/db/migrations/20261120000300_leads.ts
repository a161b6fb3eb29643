import type { Knex } from 'knex';

/** Leads and every status they entered. The first change of a lead is its creation (from_status null). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table leads (
      id uuid constraint leads_pkey primary key,
      name text collate "und-x-icu" not null,
      email text not null,
      phone text,
      status text not null
        constraint leads_status_check check (status in ('new', 'contacted', 'qualified', 'won', 'lost')),
      source text not null
        constraint leads_source_check check (source in ('api', 'website', 'referral', 'manual')),
      company text,
      tags text[] not null default '{}',
      assigned_user_id uuid constraint leads_assigned_user_id_fkey references users,
      content_id uuid constraint leads_content_id_fkey references content,
      contact_id uuid constraint leads_contact_id_fkey references contacts on delete set null,
      external_id text constraint leads_external_id_key unique,
      lost_reason text constraint leads_lost_reason_check check (lost_reason is null or status = 'lost'),
      metadata jsonb not null default '{}',
      status_changed_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      search tsvector not null generated always as (
        search_vector(name || ' ' || email || ' ' || coalesce(company, ''))
      ) stored
    );
    create unique index leads_email_key on leads (lower(email));
    create index leads_created_at_idx on leads (created_at, id);
    create index leads_updated_at_idx on leads (updated_at, id);
    create index leads_status_changed_at_idx on leads (status_changed_at, id);
    create index leads_name_idx on leads (name, id);
    create index leads_status_idx on leads (status, created_at, id);
    create index leads_source_idx on leads (source, created_at, id);
    create index leads_assigned_user_id_idx on leads (assigned_user_id, created_at, id);
    create index leads_content_id_idx on leads (content_id, created_at, id) where content_id is not null;
    create index leads_contact_id_idx on leads (contact_id, created_at, id) where contact_id is not null;
    create index leads_tags_idx on leads using gin (tags);
    create index leads_search_idx on leads using gin (search);

    create table lead_status_changes (
      lead_id uuid not null constraint lead_status_changes_lead_id_fkey references leads on delete cascade,
      from_status text,
      to_status text not null,
      changed_at timestamptz(3) not null default now(),
      actor_id uuid,
      request_id text not null
    );
    create index lead_status_changes_lead_id_idx on lead_status_changes (lead_id, changed_at);
    create index lead_status_changes_to_status_idx on lead_status_changes (to_status, changed_at, lead_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table lead_status_changes, leads;');
}
