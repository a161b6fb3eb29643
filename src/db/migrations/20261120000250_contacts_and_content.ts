import type { Knex } from 'knex';

/** What a lead points at: the contact it became and the content that won it. */
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
      version integer not null default 1
    );
    create unique index contacts_email_key on contacts (lower(email));

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
      version integer not null default 1
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table content, contacts;');
}
