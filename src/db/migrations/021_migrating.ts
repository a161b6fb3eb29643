import type { Knex } from 'knex';

/** What imports from another system need: more resources, and notes that keep their id and their author. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table notes
      add column external_id text constraint notes_external_id_key unique
        constraint notes_external_id_check check (external_id <> ''),
      add column author_name text constraint notes_author_name_check check (author_name <> '');

    alter table imports
      add column create_users boolean not null default false,
      -- contract: the next line adds it again. The previous version takes an import of anything but leads for one of contacts, whose rows then fail.
      drop constraint imports_resource_check,
      add constraint imports_resource_check
        check (resource in ('leads', 'contacts', 'notes', 'users', 'content'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from imports where resource not in ('leads', 'contacts');
    alter table imports
      drop column create_users,
      drop constraint imports_resource_check,
      add constraint imports_resource_check check (resource in ('leads', 'contacts'));
    alter table notes drop column external_id, drop column author_name;
  `);
}
