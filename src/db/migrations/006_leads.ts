import type { Knex } from 'knex';
import { followEmails, followMetadata } from './005_contacts_and_content.ts';

/** Leads and their status history. A lead's first status change is its creation. */
export async function up(knex: Knex): Promise<void> {
  await leads(knex);
  await followEmails(knex, 'lead');
  await followMetadata(knex, 'leads');
  await statuses(knex);
}

async function leads(knex: Knex): Promise<void> {
  await knex.raw(`
    create table leads (
      id uuid constraint leads_pkey primary key,
      name text collate "und-x-icu" not null,
      email text not null,
      other_emails text[] not null default '{}'
        constraint leads_other_emails_check check (cardinality(other_emails) <= 10),
      phone text,
      status text not null
        constraint leads_status_check check (status in ('new', 'contacted', 'qualified', 'won', 'lost')),
      source text not null
        constraint leads_source_check check (source in ('api', 'website', 'referral', 'manual')),
      -- More about the source, in free text: a trade show, a campaign. It is erased with the person.
      source_detail text,
      company text,
      tags text[] not null default '{}',
      assigned_user_id uuid constraint leads_assigned_user_id_fkey references users,
      content_id uuid constraint leads_content_id_fkey references content,
      contact_id uuid constraint leads_contact_id_fkey references contacts on delete set null,
      external_id text constraint leads_external_id_key unique,
      lost_reason text constraint leads_lost_reason_check check (lost_reason is null or status = 'lost'),
      -- What to do next, and when. The worker tells once that the time has come.
      next_step text,
      next_step_at timestamptz(3),
      next_step_due_at timestamptz(3),
      metadata jsonb not null default '{}',
      -- The values of keys of the metadata that are indexed (see 015). A trigger sets them.
      indexed_1 jsonb, indexed_2 jsonb, indexed_3 jsonb, indexed_4 jsonb, indexed_5 jsonb,
      indexed_6 jsonb, indexed_7 jsonb, indexed_8 jsonb, indexed_9 jsonb, indexed_10 jsonb,
      status_changed_at timestamptz(3) not null default change_time(),
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      search tsvector not null generated always as (
        search_vector(
          name || ' ' || all_emails(email, other_emails) || ' ' || coalesce(company, '')
        )
      ) stored,
      -- When the lead first entered this status or a later one. No status comes after won or lost.
      new_at timestamptz(3),
      contacted_at timestamptz(3),
      qualified_at timestamptz(3),
      won_at timestamptz(3),
      lost_at timestamptz(3),
      -- The sales cycle that the lead is in, or was in last, and how many it was won in. Triggers set them.
      sales_cycle_id uuid not null default new_uuid(),
      sales_cycle_number integer not null default 1,
      sales_cycle_opened_at timestamptz(3) not null default change_time(),
      sales_cycles_won integer not null default 0,
      -- When a note was last written or changed. Null if that was before updated_at. Notes aren't part of a lead, so they
      -- change neither its version nor its updated_at.
      last_note_at timestamptz(3),
      value_amount numeric
        constraint leads_value_amount_check check (value_amount >= 0 and value_amount < 1e15 and scale(value_amount) <= 4),
      value_currency text constraint leads_value_currency_check check (value_currency ~ '^[A-Z]{3}$'),
      expected_close_on date
        constraint leads_expected_close_on_check check (expected_close_on between '0001-01-01' and '9999-12-31'),
      constraint leads_value_check check ((value_amount is null) = (value_currency is null))
    ) with (
      -- VACUUM often, because index-only scans need pages that it has marked as all-visible.
      autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05
    );
    create index leads_next_step_at_idx on leads (next_step_at, id) where next_step_at is not null;
    create index leads_next_step_due_at_idx on leads (next_step_due_at, id) where next_step_due_at is not null;
    create trigger leads_next_step_given before insert on leads
      for each row when (new.next_step_at is not null) execute function owe_next_step();
    create trigger leads_next_step_changed before update of next_step_at on leads
      for each row when (new.next_step_at is distinct from old.next_step_at) execute function owe_next_step();
    create trigger leads_hold_horizon before insert or update on leads
      for each statement execute function hold_change_horizon();

    -- The orders of GET /leads. The included columns are for reports about leads created in a period.
    create index leads_created_at_idx on leads (created_at, id)
      include (status, source, assigned_user_id, content_id, new_at, contacted_at, qualified_at, won_at);
    create index leads_updated_at_idx on leads (updated_at, id);
    create index leads_status_changed_at_idx on leads (status_changed_at, id);
    create index leads_name_idx on leads (name, id);
    -- In both orders, leads without a date come last.
    create index leads_expected_close_on_idx on leads (coalesce(expected_close_on, 'infinity'), id);
    create index leads_expected_close_on_desc_idx on leads (coalesce(expected_close_on, '-infinity'), id);

    -- The filters of GET /leads, by time of creation.
    create index leads_status_idx on leads (status, created_at, id);
    create index leads_source_idx on leads (source, created_at, id);
    create index leads_assigned_user_id_idx on leads (assigned_user_id, created_at, id);
    create index leads_content_id_idx on leads (content_id, created_at, id) where content_id is not null;
    create index leads_contact_id_idx on leads (contact_id, created_at, id) where contact_id is not null;
    create index leads_value_currency_idx on leads (value_currency, created_at, id) where value_currency is not null;
    -- GET /leads?currency=EUR&sort=value.
    create index leads_value_idx on leads (value_currency, value_amount, id) where value_currency is not null;
    -- Partial, because most leads of an API or a form have none.
    create index leads_source_detail_idx on leads (source_detail, created_at, id) where source_detail is not null;
    -- Each lead is in one of the indexes for its company.
    create index leads_company_idx on leads (lower(company), created_at, id) where company is not null;
    create index leads_no_company_idx on leads (created_at, id) where company is null;
    create index leads_lost_reason_idx on leads (lower(lost_reason), created_at, id) where lost_reason is not null;
    -- GET /contacts?has_open_leads=.
    create index leads_open_contact_idx on leads (contact_id)
      where contact_id is not null and status in ('new', 'contacted', 'qualified');
    -- For ?inactive_since=. With the included columns, totals and orders are read from the index alone, also of open leads.
    create index leads_last_activity_idx on leads (greatest(updated_at, last_note_at), created_at, id)
      include (updated_at, last_note_at, status);
    create index leads_tags_idx on leads using gin (tags);
    create index leads_no_tags_idx on leads (created_at, id) where tags = '{}';
    create index leads_metadata_idx on leads using gin (metadata jsonb_path_ops);
    create index leads_indexed_1_idx on leads (indexed_1, id) where indexed_1 is not null;
    create index leads_indexed_2_idx on leads (indexed_2, id) where indexed_2 is not null;
    create index leads_indexed_3_idx on leads (indexed_3, id) where indexed_3 is not null;
    create index leads_indexed_4_idx on leads (indexed_4, id) where indexed_4 is not null;
    create index leads_indexed_5_idx on leads (indexed_5, id) where indexed_5 is not null;
    create index leads_indexed_6_idx on leads (indexed_6, id) where indexed_6 is not null;
    create index leads_indexed_7_idx on leads (indexed_7, id) where indexed_7 is not null;
    create index leads_indexed_8_idx on leads (indexed_8, id) where indexed_8 is not null;
    create index leads_indexed_9_idx on leads (indexed_9, id) where indexed_9 is not null;
    create index leads_indexed_10_idx on leads (indexed_10, id) where indexed_10 is not null;
    create index leads_search_idx on leads using gin (search);
    -- For ?phone= and ?search=. Numbers are searched with and without their country code, so the index has what all
    -- spellings of a number share.
    create index leads_phone_idx on leads (right(phone, 7)) where phone is not null;
    -- All addresses of leads, in lower case: no other lead can have them, and they find their lead.
    create table lead_emails (
      email text constraint lead_emails_email_key primary key,
      owner_id uuid not null
    ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
    -- GET /leads/duplicates.
    create index lead_emails_same_local_part_idx on lead_emails (same_local_part(email), owner_id)
      where same_local_part(email) is not null;
    create index leads_same_phone_idx on leads (same_phone(phone), id) where phone is not null;
    create index leads_same_name_idx on leads (same_name(name, company), id) where company is not null;

    -- Reports that count leads by the time they reached a status, and GET /leads?reached=.
    create index leads_contacted_at_idx on leads (contacted_at)
      include (source, assigned_user_id, content_id, created_at) where contacted_at is not null;
    create index leads_qualified_at_idx on leads (qualified_at)
      include (source, assigned_user_id, content_id, created_at, contacted_at) where qualified_at is not null;
    create index leads_won_at_idx on leads (won_at) include (created_at, qualified_at) where won_at is not null;
    -- Reports about what is open now.
    create index leads_open_idx on leads (status)
      include (source, assigned_user_id, content_id, value_currency, value_amount, expected_close_on)
      where status in ('new', 'contacted', 'qualified');
  `);
}

async function statuses(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Without foreign keys to its actors: a history outlives the people in it.
    create table lead_status_changes (
      -- Pages continue from it.
      id uuid not null default new_uuid(),
      lead_id uuid not null constraint lead_status_changes_lead_id_fkey references leads on delete cascade,
      -- Null for the lead's creation.
      from_status text,
      to_status text not null,
      changed_at timestamptz(3) not null default now(),
      actor_type text not null
        constraint lead_status_changes_actor_type_check check (actor_type in ('client', 'hook', 'system')),
      actor_id uuid,
      actor_user_id uuid,
      request_id text not null,
      -- The lead that changed its status, if it was merged into this one later.
      merged_from uuid,
      sales_cycle_id uuid not null,
      -- How long the lead was in from_status.
      seconds integer
    ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
    -- A lead's history, and the duration of its previous status.
    create index lead_status_changes_lead_id_idx on lead_status_changes (lead_id, changed_at);
    -- GET /leads?reached=, and reports that count changes.
    create index lead_status_changes_to_status_idx on lead_status_changes (to_status, changed_at, lead_id);
    -- Reports about the time in each status.
    create index lead_status_changes_from_status_idx on lead_status_changes (from_status, changed_at)
      include (lead_id, seconds) where from_status is not null;

    -- Whether a lead that enters this status has reached the other one: it has reached those before it, too.
    create function reaches(status text, other text) returns boolean language sql immutable parallel safe
      return case other
        when 'new' then status <> 'lost'
        when 'contacted' then status in ('contacted', 'qualified', 'won')
        when 'qualified' then status in ('qualified', 'won')
        else status = other
      end;

    -- Dates a lead's statuses. A change of the status alone is dated like the change of the row.
    create function note_milestones() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.status <> old.status and new.status_changed_at = old.status_changed_at
        -- Nor is a correction a change: it has corrected the sales cycle first.
        and not exists (select from sales_cycles where id = new.sales_cycle_id and status = new.status) then
        new.status_changed_at := change_time();
      end if;
      new.new_at := least(new.new_at, case when reaches(new.status, 'new') then new.status_changed_at end);
      new.contacted_at := least(new.contacted_at, case when reaches(new.status, 'contacted') then new.status_changed_at end);
      new.qualified_at := least(new.qualified_at, case when reaches(new.status, 'qualified') then new.status_changed_at end);
      new.won_at := least(new.won_at, case when reaches(new.status, 'won') then new.status_changed_at end);
      new.lost_at := least(new.lost_at, case when reaches(new.status, 'lost') then new.status_changed_at end);
      return new;
    end $$;

    -- The same by the whole history, which imports, seeds and merges bring.
    create function first_times(leads uuid[])
      returns table (
        lead_id uuid, new_at timestamptz, contacted_at timestamptz, qualified_at timestamptz, won_at timestamptz, lost_at timestamptz
      ) language sql stable as $$
      select lead_id,
        min(changed_at) filter (where reaches(to_status, 'new')),
        min(changed_at) filter (where reaches(to_status, 'contacted')),
        min(changed_at) filter (where reaches(to_status, 'qualified')),
        min(changed_at) filter (where reaches(to_status, 'won')),
        min(changed_at) filter (where reaches(to_status, 'lost'))
      from lead_status_changes where lead_id = any(leads) group by lead_id
    $$;
    create trigger leads_milestones before insert or update of status on leads
      for each row execute function note_milestones();

    create function seconds_in_status(lead uuid, left_status text, left_at timestamptz) returns integer
      language plpgsql stable as $$
    begin
      -- The condition on to_status is a filter, so that PostgreSQL reads the lead's few changes in their index. With all
      -- three in WHERE, it searched the other index backwards, past every other lead's changes to this status.
      return greatest(0, floor(date_part('epoch', left_at - max(changed_at) filter (where to_status = left_status and merged_from is null))))
      from lead_status_changes
      where lead_id = lead and changed_at <= left_at;
    end $$;

    create function note_seconds() returns trigger language plpgsql as $$
    begin
      new.seconds := seconds_in_status(new.lead_id, new.from_status, new.changed_at);
      return new;
    end $$;
    create trigger lead_status_changes_seconds before insert on lead_status_changes
      for each row when (new.from_status is not null and new.seconds is null) execute function note_seconds();
  `);
}
