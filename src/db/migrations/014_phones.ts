import type { Knex } from 'knex';

/** Finds people by the last digits of their phone numbers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- For ?phone= and ?search=. Numbers are searched with and without their country code, so the index has what all
    -- spellings of a number share.
    create index leads_phone_idx on leads (right(phone, 7)) where phone is not null;
    create index contacts_phone_idx on contacts (right(phone, 7)) where phone is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index contacts_phone_idx, leads_phone_idx');
}
