import type { Knex } from 'knex';

/** Contacts that leads are converted to, and content that attracts leads. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table contacts (
      id uuid constraint contacts_pkey primary key,
      name text collate "und-x-icu" not null,
      email text,
      phone text,
      company text,
      title text,
      tags text[] not null default '{}',
      assigned_user_id uuid constraint contacts_assigned_user_id_fkey references users,
      external_id text constraint contacts_external_id_key unique,
      metadata jsonb not null default '{}',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      search tsvector not null generated always as (
        search_vector(name || ' ' || coalesce(email, '') || ' ' || coalesce(company, ''))
      ) stored
    );
    create unique index contacts_email_key on contacts (lower(email));

    -- The orders of GET /contacts.
    create index contacts_created_at_idx on contacts (created_at, id);
    create index contacts_updated_at_idx on contacts (updated_at, id);
    create index contacts_name_idx on contacts (name, id);
    -- Its filters. The first one also answers quickly whether a user has contacts, and so can't be deleted.
    create index contacts_assigned_user_id_idx on contacts (assigned_user_id, created_at, id);
    create index contacts_tags_idx on contacts using gin (tags);
    create index contacts_metadata_idx on contacts using gin (metadata jsonb_path_ops);
    create index contacts_search_idx on contacts using gin (search);

    -- convert_to() is only STABLE because conversions can be replaced. Generated columns require IMMUTABLE.
    create function text_sha256(value text) returns text language sql immutable strict parallel safe
      return encode(sha256(convert_to(value, 'UTF8')), 'hex');

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
      published_at timestamptz(3),
      archived_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,
      search tsvector not null generated always as (
        search_vector(title || ' ' || slug || ' ' || coalesce(summary, ''))
      ) stored,
      -- Shown in lists, events and webhooks instead of the body. Stored, so that lists need not read bodies.
      body_sha256 text generated always as (text_sha256(body)) stored
    );

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
    create index content_search_idx on content using gin (search);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table content, contacts;
    drop function text_sha256(text);
  `);
}
