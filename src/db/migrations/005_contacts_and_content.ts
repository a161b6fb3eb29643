import type { Knex } from 'knex';

/** Addresses of a role rather than a person. They say nothing about who it is. Listed in docs/resources.md. */
const roles = `
  abuse accounting accounts admin administrator billing business careers contact customerservice do-not-reply
  donotreply email enquiries enquiry events feedback finance hello help helpdesk hey hola hostmaster hr info
  inquiries inquiry invoice invoices it jobs kontakt legal mail mailer-daemon management manager marketing me
  media newsletter no-reply noreply office orders partners postmaster press privacy purchasing reception
  recruiting root sales security service shop subscribe support team test user vertrieb web webmaster welcome`
  .trim()
  .split(/\s+/);

/** Contacts that leads are converted to, content that attracts leads, and what likely duplicates have in common. */
export async function up(knex: Knex): Promise<void> {
  await samePerson(knex);
  await indexedMetadata(knex);
  await contacts(knex);
  await content(knex);
}

/**
 * What likely duplicates have in common is a 64-bit hash: it is short to index, and a cursor with it has no personal data.
 * Among ten million texts, two with the same hash have a chance of one in 300,000.
 */
async function samePerson(knex: Knex): Promise<void> {
  await knex.raw(`
    create function same_phone(phone text) returns bigint language sql immutable strict parallel safe
      return hashtextextended(phone, 0);

    create function same_name(name text, company text) returns bigint language sql immutable strict parallel safe
      return hashtextextended(lower(name collate "und-x-icu") || E'\\n' || lower(company collate "und-x-icu"), 0);

    -- The part before the @, without dots and without what follows a plus: Gmail ignores these. Null if it is short, or names a
    -- role.
    create function local_part(email text) returns text language sql immutable strict parallel safe
      return (
        select case when length(part) >= 3 and part <> all ('{${roles.join()}}'::text[]) then part end
        from (select replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') as part) as local
      );

    create function same_local_part(email text) returns bigint language sql immutable strict parallel safe
      return hashtextextended(local_part(email), 0);
  `);
}

async function contacts(knex: Knex): Promise<void> {
  await knex.raw(`
    -- All addresses of a person, as they are compared and searched.
    create function all_emails(email text, other_emails text[]) returns text language sql immutable parallel safe
      return lower(array_to_string(array_prepend(email, other_emails), ' '));

    -- A time that is past when it is written is told by nobody.
    create function owe_next_step() returns trigger language plpgsql as $$
    begin
      new.next_step_due_at := case when new.next_step_at > statement_timestamp() then new.next_step_at end;
      return new;
    end $$;

    create table contacts (
      id uuid constraint contacts_pkey primary key,
      name text collate "und-x-icu" not null,
      email text,
      other_emails text[] not null default '{}'
        constraint contacts_other_emails_check check (cardinality(other_emails) <= 10),
      phone text,
      company text,
      title text,
      tags text[] not null default '{}',
      assigned_user_id uuid constraint contacts_assigned_user_id_fkey references users,
      external_id text constraint contacts_external_id_key unique,
      -- What to do next, and when. The worker tells once that the time has come.
      next_step text,
      next_step_at timestamptz(3),
      next_step_due_at timestamptz(3),
      metadata jsonb not null default '{}',
      -- The values of keys of the metadata that are indexed (see 015). A trigger sets them.
      indexed_1 jsonb, indexed_2 jsonb, indexed_3 jsonb, indexed_4 jsonb, indexed_5 jsonb,
      indexed_6 jsonb, indexed_7 jsonb, indexed_8 jsonb, indexed_9 jsonb, indexed_10 jsonb,
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      search tsvector not null generated always as (
        search_vector(
          name || ' ' || all_emails(email, other_emails) || ' ' || coalesce(company, '')
        )
      ) stored
    );
    create index contacts_next_step_at_idx on contacts (next_step_at, id) where next_step_at is not null;
    create index contacts_next_step_due_at_idx on contacts (next_step_due_at, id) where next_step_due_at is not null;
    create trigger contacts_next_step_given before insert on contacts
      for each row when (new.next_step_at is not null) execute function owe_next_step();
    create trigger contacts_next_step_changed before update of next_step_at on contacts
      for each row when (new.next_step_at is distinct from old.next_step_at) execute function owe_next_step();
    create trigger contacts_hold_horizon before insert or update on contacts
      for each statement execute function hold_change_horizon();

    -- The orders of GET /contacts.
    create index contacts_created_at_idx on contacts (created_at, id);
    create index contacts_updated_at_idx on contacts (updated_at, id);
    create index contacts_name_idx on contacts (name, id);
    -- Its filters. The first one also answers quickly whether a user has contacts, and so can't be deleted.
    create index contacts_assigned_user_id_idx on contacts (assigned_user_id, created_at, id);
    create index contacts_tags_idx on contacts using gin (tags);
    create index contacts_no_tags_idx on contacts (created_at, id) where tags = '{}';
    create index contacts_metadata_idx on contacts using gin (metadata jsonb_path_ops);
    create index contacts_indexed_1_idx on contacts (indexed_1, id) where indexed_1 is not null;
    create index contacts_indexed_2_idx on contacts (indexed_2, id) where indexed_2 is not null;
    create index contacts_indexed_3_idx on contacts (indexed_3, id) where indexed_3 is not null;
    create index contacts_indexed_4_idx on contacts (indexed_4, id) where indexed_4 is not null;
    create index contacts_indexed_5_idx on contacts (indexed_5, id) where indexed_5 is not null;
    create index contacts_indexed_6_idx on contacts (indexed_6, id) where indexed_6 is not null;
    create index contacts_indexed_7_idx on contacts (indexed_7, id) where indexed_7 is not null;
    create index contacts_indexed_8_idx on contacts (indexed_8, id) where indexed_8 is not null;
    create index contacts_indexed_9_idx on contacts (indexed_9, id) where indexed_9 is not null;
    create index contacts_indexed_10_idx on contacts (indexed_10, id) where indexed_10 is not null;
    create index contacts_search_idx on contacts using gin (search);
    create index contacts_company_idx on contacts (lower(company), created_at, id) where company is not null;
    -- For ?phone= and ?search=, as leads_phone_idx.
    create index contacts_phone_idx on contacts (right(phone, 7)) where phone is not null;
    -- GET /contacts/duplicates.
    create index contacts_same_phone_idx on contacts (same_phone(phone), id) where phone is not null;
    create index contacts_same_name_idx on contacts (same_name(name, company), id) where company is not null;

    -- All addresses of contacts, in lower case: nobody else can have them, and they find their contact.
    create table contact_emails (
      email text constraint contact_emails_email_key primary key,
      owner_id uuid not null
    );
    create index contact_emails_same_local_part_idx on contact_emails (same_local_part(email), owner_id)
      where same_local_part(email) is not null;
  `);
  await followEmails(knex, 'contact');
  await followMetadata(knex, 'contacts');
}

/** A function of triggers that copies the values of indexed keys of metadata (see 015). */
async function indexedMetadata(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What the column of an indexed key has for a value: of a text, a list of one. Values of the other types have counters.
    create function indexed_value(type text, value jsonb) returns jsonb language sql immutable parallel safe
      return case when type = 'text' and value is not null then jsonb_build_array(value) else value end;

    create function fill_indexed_metadata() returns trigger language plpgsql as $$
    declare
      field record;
    begin
      new.indexed_1 := null;
      new.indexed_2 := null;
      new.indexed_3 := null;
      new.indexed_4 := null;
      new.indexed_5 := null;
      new.indexed_6 := null;
      new.indexed_7 := null;
      new.indexed_8 := null;
      new.indexed_9 := null;
      new.indexed_10 := null;
      if new.metadata = '{}' then return new; end if;
      perform pg_advisory_xact_lock_shared(metadata_lock());
      for field in
        select slot, indexed_value(type, new.metadata -> key) as value
        from metadata_fields where resource = tg_table_name and slot is not null
      loop
        case field.slot
            when 1 then new.indexed_1 := field.value;
            when 2 then new.indexed_2 := field.value;
            when 3 then new.indexed_3 := field.value;
            when 4 then new.indexed_4 := field.value;
            when 5 then new.indexed_5 := field.value;
            when 6 then new.indexed_6 := field.value;
            when 7 then new.indexed_7 := field.value;
            when 8 then new.indexed_8 := field.value;
            when 9 then new.indexed_9 := field.value;
            when 10 then new.indexed_10 := field.value;
        end case;
      end loop;
      return new;
    end $$;
  `);
}

/** Triggers that keep the columns of indexed keys of metadata. */
export async function followMetadata(knex: Knex, table: string): Promise<void> {
  await knex.raw(`
    create trigger ${table}_fill_indexed before insert on ${table}
      for each row when (new.metadata <> '{}') execute function fill_indexed_metadata();
    create trigger ${table}_fill_changed_indexed before update of metadata on ${table}
      for each row when (old.metadata is distinct from new.metadata) execute function fill_indexed_metadata();
  `);
}

/**
 * Triggers that write the table of addresses of leads or contacts. So it needs no foreign key, which would need an index of its
 * own.
 */
export async function followEmails(knex: Knex, kind: 'lead' | 'contact'): Promise<void> {
  const [owners, table] = [`${kind}s`, `${kind}_emails`];
  await knex.raw(`
    -- Skips a new ${kind} if another one has an address or the external id of it, as ON CONFLICT DO NOTHING does.
    create function add_${table}() returns trigger language plpgsql as $$
    declare
      given text[];
      added bigint;
    begin
      if new.external_id is not null and exists (select from ${owners} where external_id = new.external_id) then
        -- Here, because otherwise its addresses would stay without it.
        return null;
      end if;
      if new.other_emails = '{}' then
        if new.email is null then return new; end if;
        insert into ${table} values (lower(new.email), new.id) on conflict do nothing;
        return case when found then new end;
      end if;
      given := string_to_array(all_emails(new.email, new.other_emails), ' ');
      insert into ${table} select address, new.id from unnest(given) as address on conflict do nothing;
      get diagnostics added = row_count;
      if added = cardinality(given) then return new; end if;
      delete from ${table} where email = any(given) and owner_id = new.id;
      return null;
    end $$;
    -- The last of those before the insertion, by its name.
    create trigger ${owners}_unique_emails before insert on ${owners}
      for each row execute function add_${table}();

    create function change_${table}() returns trigger language plpgsql as $$
    declare
      before text[] := string_to_array(all_emails(old.email, old.other_emails), ' ');
      after text[] := string_to_array(all_emails(new.email, new.other_emails), ' ');
    begin
      insert into ${table} select address, new.id from unnest(after) as address where address <> all(before);
      delete from ${table} where email = any(before) and email <> all(after);
      return null;
    end $$;
    create trigger ${owners}_emails_changed after update of email, other_emails on ${owners}
      for each row when ((old.email, old.other_emails) is distinct from (new.email, new.other_emails))
      execute function change_${table}();

    create function delete_${table}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'TRUNCATE' then
        truncate ${table};
      else
        delete from ${table}
        where email in (select unnest(string_to_array(all_emails(email, other_emails), ' ')) from deleted);
      end if;
      return null;
    end $$;
    create trigger ${owners}_emails_deleted after delete on ${owners} referencing old table as deleted
      for each statement execute function delete_${table}();
    create trigger ${owners}_emails_truncated after truncate on ${owners}
      for each statement execute function delete_${table}();
  `);
}

async function content(knex: Knex): Promise<void> {
  await knex.raw(`
    create table content (
      id uuid constraint content_pkey primary key,
      title text collate "und-x-icu" not null,
      slug text not null constraint content_slug_key unique,
      type text not null constraint content_type_check check (
        type in ('article', 'landing_page', 'form', 'ebook', 'video', 'webinar', 'email', 'other')
      ),
      summary text,
      body text,
      url text,
      language text,
      status text not null default 'draft'
        constraint content_status_check check (status in ('draft', 'published', 'archived')),
      author_user_id uuid constraint content_author_user_id_fkey references users,
      tags text[] not null default '{}',
      metadata jsonb not null default '{}',
      -- The values of keys of the metadata that are indexed (see 015). A trigger sets them.
      indexed_1 jsonb, indexed_2 jsonb, indexed_3 jsonb, indexed_4 jsonb, indexed_5 jsonb,
      indexed_6 jsonb, indexed_7 jsonb, indexed_8 jsonb, indexed_9 jsonb, indexed_10 jsonb,
      published_at timestamptz(3),
      archived_at timestamptz(3),
      created_at timestamptz(3) not null default change_time(),
      updated_at timestamptz(3) not null default change_time(),
      version integer not null default 1,
      search tsvector not null generated always as (
        search_vector(title || ' ' || slug || ' ' || coalesce(summary, ''))
      ) stored,
      -- Shown in lists, events and webhooks instead of the body. Stored, so that lists need not read bodies.
      body_sha256 text generated always as (text_sha256(body)) stored
    );
    create trigger content_hold_horizon before insert or update on content
      for each statement execute function hold_change_horizon();

    -- The orders of GET /content.
    create index content_created_at_idx on content (created_at, id);
    create index content_updated_at_idx on content (updated_at, id);
    create index content_title_idx on content (title, id);
    -- Its filters. The one by author also answers quickly whether a user has content, and so can't be deleted.
    create index content_status_idx on content (status, created_at, id);
    create index content_type_idx on content (type, created_at, id);
    create index content_language_idx on content (lower(language), created_at, id);
    create index content_published_at_idx on content (published_at);
    create index content_author_user_id_idx on content (author_user_id, created_at, id);
    create index content_tags_idx on content using gin (tags);
    create index content_metadata_idx on content using gin (metadata jsonb_path_ops);
    create index content_indexed_1_idx on content (indexed_1, id) where indexed_1 is not null;
    create index content_indexed_2_idx on content (indexed_2, id) where indexed_2 is not null;
    create index content_indexed_3_idx on content (indexed_3, id) where indexed_3 is not null;
    create index content_indexed_4_idx on content (indexed_4, id) where indexed_4 is not null;
    create index content_indexed_5_idx on content (indexed_5, id) where indexed_5 is not null;
    create index content_indexed_6_idx on content (indexed_6, id) where indexed_6 is not null;
    create index content_indexed_7_idx on content (indexed_7, id) where indexed_7 is not null;
    create index content_indexed_8_idx on content (indexed_8, id) where indexed_8 is not null;
    create index content_indexed_9_idx on content (indexed_9, id) where indexed_9 is not null;
    create index content_indexed_10_idx on content (indexed_10, id) where indexed_10 is not null;
    create index content_search_idx on content using gin (search);
  `);
  await followMetadata(knex, 'content');
}
