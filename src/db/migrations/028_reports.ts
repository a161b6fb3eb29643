import type { Knex } from 'knex';

/**
 * Reports add up money by source and by assignee, so the indexes that count leads have the value as well. Without it,
 * PostgreSQL reads every lead of the period: by month and assignee, this took five times as long.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- contract: the index that follows has the same keys
    drop index leads_created_at_idx;
    create index leads_created_at_idx on leads (created_at, id)
      include (status, source, assigned_user_id, content_id, status_changed_at, new_at, contacted_at, qualified_at, won_at,
        value_currency, value_amount);
    -- contract: the index that follows has the same keys
    drop index leads_closed_idx;
    create index leads_closed_idx on leads (status, status_changed_at)
      include (value_currency, value_amount, expected_close_on, new_at, contacted_at, qualified_at, won_at,
        source, assigned_user_id)
      where status in ('won', 'lost');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index leads_created_at_idx;
    create index leads_created_at_idx on leads (created_at, id)
      include (status, source, assigned_user_id, content_id, status_changed_at, new_at, contacted_at, qualified_at, won_at);
    drop index leads_closed_idx;
    create index leads_closed_idx on leads (status, status_changed_at)
      include (value_currency, value_amount, expected_close_on, new_at, contacted_at, qualified_at, won_at)
      where status in ('won', 'lost');
  `);
}
