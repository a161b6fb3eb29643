import type { Knex } from 'knex';

/** Addresses of a role rather than a person. They say nothing about who it is. Listed in docs/resources.md. */
const roles = [
  ...[
    'abuse',
    'accounting',
    'accounts',
    'admin',
    'administrator',
    'billing',
    'business',
    'careers',
    'contact',
  ],
  ...['customerservice', 'do-not-reply', 'donotreply', 'email', 'enquiries', 'enquiry', 'events', 'feedback'],
  ...[
    'finance',
    'hello',
    'help',
    'helpdesk',
    'hey',
    'hola',
    'hostmaster',
    'hr',
    'info',
    'inquiries',
    'inquiry',
  ],
  ...[
    'invoice',
    'invoices',
    'it',
    'jobs',
    'kontakt',
    'legal',
    'mail',
    'mailer-daemon',
    'management',
    'manager',
  ],
  ...[
    'marketing',
    'me',
    'media',
    'newsletter',
    'no-reply',
    'noreply',
    'office',
    'orders',
    'partners',
    'postmaster',
  ],
  ...[
    'press',
    'privacy',
    'purchasing',
    'reception',
    'recruiting',
    'root',
    'sales',
    'security',
    'service',
    'shop',
  ],
  ...['subscribe', 'support', 'team', 'test', 'user', 'vertrieb', 'web', 'webmaster', 'welcome'],
];

/**
 * What likely duplicates have in common, as a 64-bit hash: it is short to index, and a cursor with it has no personal data.
 * Among ten million texts, two with the same hash have a chance of one in 300,000.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function same_phone(phone text) returns bigint language sql immutable strict parallel safe
      return hashtextextended(phone, 0);

    create function same_name(name text, company text) returns bigint language sql immutable strict parallel safe
      return hashtextextended(lower(name collate "und-x-icu") || E'\\n' || lower(company collate "und-x-icu"), 0);

    -- The part before the @, without what follows a plus. Null if it is short, or names a role.
    create function local_part(email text) returns text language sql immutable strict parallel safe
      return (
        select case when length(part) >= 3 and part <> all ('{${roles.join()}}'::text[]) then part end
        from (select split_part(split_part(lower(email), '@', 1), '+', 1) as part) as local
      );

    create function same_local_part(email text) returns bigint language sql immutable strict parallel safe
      return hashtextextended(local_part(email), 0);
  `);
  await knex.raw(`
    create index leads_same_phone_idx on leads (same_phone(phone), id) where phone is not null;
    create index leads_same_name_idx on leads (same_name(name, company), id) where company is not null;
    create index leads_same_local_part_idx on leads (same_local_part(email), id)
      where same_local_part(email) is not null;
    create index contacts_same_phone_idx on contacts (same_phone(phone), id) where phone is not null;
    create index contacts_same_name_idx on contacts (same_name(name, company), id) where company is not null;
    create index contacts_same_local_part_idx on contacts (same_local_part(email), id)
      where same_local_part(email) is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['leads', 'contacts']) {
    await knex.raw(
      `drop index ${table}_same_phone_idx, ${table}_same_name_idx, ${table}_same_local_part_idx`,
    );
  }
  await knex.raw(`
    drop function same_local_part(text), local_part(text), same_name(text, text), same_phone(text)
  `);
}
