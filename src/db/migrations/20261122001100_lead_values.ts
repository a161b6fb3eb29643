import type { Knex } from 'knex';

/** What leads are worth, and when they are expected to be won. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    set local maintenance_work_mem = '256MB';

    alter table leads
      add column value_amount numeric,
      add column value_currency text,
      add column expected_close_on date,
      add constraint leads_value_check check ((value_amount is null) = (value_currency is null)),
      add constraint leads_value_amount_check
        check (value_amount >= 0 and value_amount < 1e15 and scale(value_amount) <= 4),
      add constraint leads_value_currency_check check (value_currency ~ '^[A-Z]{3}$'),
      add constraint leads_expected_close_on_check check (expected_close_on between '0001-01-01' and '9999-12-31');

    create index leads_value_currency_idx on leads (value_currency, created_at, id)
      include (status, value_amount, expected_close_on, status_changed_at) where value_currency is not null;
    create index leads_value_amount_idx on leads (value_currency, value_amount) where value_currency is not null;

    -- A row without a date is the last one in both orders.
    create index leads_expected_close_on_idx on leads (coalesce(expected_close_on, 'infinity'), id);
    create index leads_expected_close_on_desc_idx on leads (coalesce(expected_close_on, '-infinity'), id);

    -- An event tells all fields of a lead.
    update events set object = (left(object::text, -1) || ',"value":null,"expected_close_on":null}')::json
    where type like 'lead.%' and type <> 'lead.deleted';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create function without_value(fields json) returns json language sql immutable
      return (
        select coalesce(json_object_agg(key, value order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
        where key not in ('value', 'expected_close_on')
      );
    update events set object = without_value(object), changes = without_value(changes)
    where type like 'lead.%' and type <> 'lead.deleted';
    drop function without_value(json);
    alter table leads drop column value_amount, drop column value_currency, drop column expected_close_on;
  `);
}
