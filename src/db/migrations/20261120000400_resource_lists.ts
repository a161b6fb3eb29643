import type { Knex } from 'knex';

/**
 * What the lists of users, contacts and content need: search, the orders they can be sorted in, and their filters. The
 * indexes on what refers to a user also make it fast to see that a user has nothing and may be deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      alter column name type text collate "und-x-icu",
      add column search tsvector not null generated always as (search_vector(name || ' ' || email)) stored;
    create index users_created_at_idx on users (created_at, id);
    create index users_updated_at_idx on users (updated_at, id);
    create index users_name_idx on users (name, id);
    create index users_search_idx on users using gin (search);

    alter table contacts
      add column search tsvector not null generated always as (
        search_vector(name || ' ' || coalesce(email, '') || ' ' || coalesce(company, ''))
      ) stored;
    create index contacts_created_at_idx on contacts (created_at, id);
    create index contacts_updated_at_idx on contacts (updated_at, id);
    create index contacts_name_idx on contacts (name, id);
    create index contacts_assigned_user_id_idx on contacts (assigned_user_id, created_at, id);
    create index contacts_tags_idx on contacts using gin (tags);
    create index contacts_search_idx on contacts using gin (search);

    alter table content
      add column search tsvector not null generated always as (
        search_vector(title || ' ' || slug || ' ' || coalesce(summary, ''))
      ) stored;
    create index content_created_at_idx on content (created_at, id);
    create index content_updated_at_idx on content (updated_at, id);
    create index content_title_idx on content (title, id);
    create index content_status_idx on content (status, created_at, id);
    create index content_type_idx on content (type, created_at, id);
    create index content_language_idx on content (lower(language), created_at, id);
    create index content_published_at_idx on content (published_at);
    create index content_author_user_id_idx on content (author_user_id, created_at, id);
    create index content_tags_idx on content using gin (tags);
    create index content_search_idx on content using gin (search);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table content drop column search;
    drop index content_created_at_idx, content_updated_at_idx, content_title_idx, content_status_idx,
      content_type_idx, content_language_idx, content_published_at_idx, content_author_user_id_idx, content_tags_idx;
    alter table contacts drop column search;
    drop index contacts_created_at_idx, contacts_updated_at_idx, contacts_name_idx,
      contacts_assigned_user_id_idx, contacts_tags_idx;
    alter table users alter column name type text collate "default", drop column search;
    drop index users_created_at_idx, users_updated_at_idx, users_name_idx;
  `);
}
