import type { Knex } from 'knex';

/**
 * Exact counts and sums of leads and of closed sales cycles, so that lists and reports about money need not read them:
 *
 * | kind | key | period | counts by |
 * |---|---|---|---|
 * | day, month | `all` | the day or month of creation (UTC) | status, source |
 * | owner_day, owner_month | the assignee, or `none` | the same | status, source |
 * | tag | the tag | -infinity | status, source |
 * | open | the currency | the month of the expected close, or infinity | status |
 * | open_by | `source=`, `assigned_user=` or `content=` with the value, if any | -infinity | the currency |
 * | metadata | the number of the column of an indexed key | -infinity | status, source, the value (in `reached`, see metadata_bucket) |
 * | closed | the currency, or `none` | the day of the close (UTC) | status, the furthest status, or `none` |
 *
 * Open leads without a value have no counter of the kind `open`.
 *
 * Triggers write every change to lead_counter_changes. Each statement adds rows of its own, so writers never wait
 * for each other. fold_lead_counters() moves these rows to lead_counters in the background. Readers add up both tables.
 */
export async function up(knex: Knex): Promise<void> {
  await tables(knex);
  await views(knex);
  await triggers(knex);
  await folding(knex);
  await tagCounts(knex);
}

async function tables(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_counters (
      kind text not null,
      key text not null,
      period date not null,
      status text not null,
      source text not null,
      reached text not null,
      total integer not null,
      amount numeric not null,
      constraint lead_counters_pkey primary key (kind, key, period, status, source, reached)
    ) partition by list (kind);
    -- Readers look up a hundred counters at once. They are fast if these are not scattered among the many by owner.
    create table lead_counters_of_all partition of lead_counters for values in ('day', 'month', 'tag');
    create table lead_counters_by_owner partition of lead_counters for values in ('owner_day', 'owner_month');
    create table lead_counters_by_value partition of lead_counters for values in ('open', 'open_by', 'metadata', 'closed');

    -- Folded rows are deleted, so VACUUM has work to do at any time, but never much.
    create table lead_counter_changes (
      kind text not null,
      key text not null,
      period date not null,
      status text not null,
      source text not null,
      reached text not null,
      total integer not null,
      amount numeric not null
    ) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
  `);
}

async function views(knex: Knex): Promise<void> {
  await knex.raw(`
    create function utc_date(moment timestamptz) returns date language sql immutable strict parallel safe
      return (moment at time zone 'UTC')::date;

    create function expected_month(expected_close_on date) returns date language sql immutable parallel safe
      return coalesce(date_trunc('month', expected_close_on::timestamp)::date, 'infinity');

    -- What the second digit of a number counts: 1 for 42, 100 for 4200.
    create function digit(number numeric) returns numeric language sql immutable parallel safe
      return case when abs(number) < 1 then 0.01 else ('1e' || (length(trunc(abs(number))::text) - 2))::numeric end;

    -- The values of an indexed key that have a counter together. Numbers have that of the next lower number with two digits
    -- (between -1 and 1: with two decimals), so that each range has few. All texts have one, each other value has its own.
    create function metadata_bucket(value jsonb) returns jsonb language sql immutable parallel safe
      return case jsonb_typeof(value)
        when 'number' then to_jsonb(floor(value::numeric / digit(value::numeric)) * digit(value::numeric))
        when 'array' then '[]'
        else value
      end;

    -- The counters that a change applies to. A change by owner and day also applies to the month, and to those of all.
    create function lead_counter_keys(changed_kind text, changed_key text, changed_period date)
      returns table (kind text, key text, period date)
      language sql immutable parallel safe
      begin atomic
        select changed_kind, changed_key, changed_period
        union all
        select also.kind, also.key, also.period
        from (values
          ('owner_month', changed_key, date_trunc('month', changed_period::timestamp)::date),
          ('day', 'all', changed_period),
          ('month', 'all', date_trunc('month', changed_period::timestamp)::date)
        ) as also (kind, key, period)
        where changed_kind = 'owner_day';
      end;

    -- What the counters must be.
    create view lead_counters_by_leads as
      select keys.kind, keys.key, keys.period, status, source, reached, sum(total)::integer as total, sum(amount) as amount
      from (${changes(countersOf('leads', '1'), closedOf('sales_cycles', '1'))}) as change,
        lead_counter_keys(change.kind, change.key, change.period) as keys
      group by 1, 2, 3, 4, 5, 6;
  `);
}

async function triggers(knex: Knex): Promise<void> {
  await knex.raw(`
    create function record_lead_counters() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_counter_changes ${changes(countersOf('new_leads', '1'))};
      elsif tg_op = 'UPDATE' then
        insert into lead_counter_changes ${changes(countersOf('old_leads', '-1'), countersOf('new_leads', '1'))};
      elsif tg_op = 'DELETE' then
        insert into lead_counter_changes ${changes(countersOf('old_leads', '-1'))};
      else
        perform clear_lead_counters();
      end if;
      return null;
    end $$;

    create trigger leads_inserted after insert on leads referencing new table as new_leads
      for each statement execute function record_lead_counters();
    create trigger leads_updated after update on leads referencing old table as old_leads new table as new_leads
      for each statement execute function record_lead_counters();
    create trigger leads_deleted after delete on leads referencing old table as old_leads
      for each statement execute function record_lead_counters();
    create trigger leads_truncated after truncate on leads
      for each statement execute function record_lead_counters();

    -- By row, because a statement changes few closed cycles, and most change none.
    create function record_closed_cycle() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        insert into lead_counter_changes ${closedOf('(select old.*)', '-1')};
      end if;
      if tg_op <> 'DELETE' then
        insert into lead_counter_changes ${closedOf('(select new.*)', '1')};
      end if;
      return null;
    end $$;

    create trigger sales_cycles_inserted after insert on sales_cycles
      for each row when (new.closed_at is not null) execute function record_closed_cycle();
    create trigger sales_cycles_updated after update on sales_cycles
      for each row when (
        (old.closed_at, old.status, old.furthest_status, old.value_currency, old.value_amount)
        is distinct from (new.closed_at, new.status, new.furthest_status, new.value_currency, new.value_amount)
        and (old.closed_at is not null or new.closed_at is not null)
      ) execute function record_closed_cycle();
    create trigger sales_cycles_deleted after delete on sales_cycles
      for each row when (old.closed_at is not null) execute function record_closed_cycle();
  `);
}

/** What each lead of a table adds to the counters, `sign` times. A tag that a lead has twice counts once. */
function countersOf(leads: string, sign: '1' | '-1'): string {
  return `
    select 'owner_day' as kind, coalesce(assigned_user_id::text, 'none') as key, utc_date(created_at) as period,
      status, source, '' as reached, ${sign} as total, 0 as amount
    from ${leads}
    union all
    select 'tag', tag, '-infinity', status, source, '', ${sign}, 0
    from (select distinct id, unnest(tags) as tag, status, source from ${leads}) as tagged
    where tag is not null
    union all
    select 'open', value_currency, expected_month(expected_close_on), status, '', '', ${sign}, ${sign} * value_amount
    from ${leads}
    where value_currency is not null and not is_closed(status)
    union all
    select 'open_by', key, '-infinity', '', '', coalesce(value_currency, ''), ${sign}, ${sign} * coalesce(value_amount, 0)
    from ${leads} cross join lateral (values
      ('source=' || source),
      ('assigned_user=' || coalesce(assigned_user_id::text, '')),
      ('content=' || coalesce(content_id::text, ''))
    ) as part (key)
    where not is_closed(status)
    union all
    select 'metadata', slot, '-infinity', status, source, metadata_bucket(value)::text, ${sign}, 0
    from ${leads} cross join lateral (values
      ${Array.from({ length: 10 }, (_, index) => `('${index + 1}', indexed_${index + 1})`).join(', ')}
    ) as indexed (slot, value)
    where value is not null`;
}

/** What each closed sales cycle adds to the counters, `sign` times. */
function closedOf(cycles: string, sign: '1' | '-1'): string {
  return `
    select 'closed' as kind, coalesce(value_currency, 'none') as key, utc_date(closed_at) as period,
      status, '' as source, coalesce(furthest_status, 'none') as reached, ${sign} as total,
      ${sign} * coalesce(value_amount, 0) as amount
    from ${cycles} as cycle
    where closed_at is not null`;
}

function changes(...counters: string[]): string {
  return `
    select kind, key, period, status, source, reached, sum(total)::integer as total, sum(amount) as amount
    from (${counters.join('\nunion all\n')}) as counter
    group by 1, 2, 3, 4, 5, 6
    having sum(total) <> 0 or sum(amount) <> 0`;
}

async function folding(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Moves up to that many changes, and returns how many it moved. Only one process at a time folds; others return immediately.
    create function fold_lead_counters(most integer) returns integer language plpgsql as $$
    declare
      folded tid[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return 0; end if;
      folded := array(select ctid from lead_counter_changes limit most);
      if folded = '{}' then return 0; end if;
      with taken as (
        delete from lead_counter_changes where ctid = any (folded) returning *
      )
      merge into lead_counters as counted
      using (
        select keys.kind, keys.key, keys.period, status, source, reached, sum(total)::integer as total, sum(amount) as amount
        from taken, lead_counter_keys(taken.kind, taken.key, taken.period) as keys
        group by 1, 2, 3, 4, 5, 6
        having sum(total) <> 0 or sum(amount) <> 0
      ) as found
      on (counted.kind, counted.key, counted.period, counted.status, counted.source, counted.reached)
        = (found.kind, found.key, found.period, found.status, found.source, found.reached)
      when matched and counted.total + found.total = 0 and counted.amount + found.amount = 0 then delete
      when matched then update set total = counted.total + found.total, amount = counted.amount + found.amount
      when not matched then insert values (
        found.kind, found.key, found.period, found.status, found.source, found.reached, found.total, found.amount
      );
      return cardinality(folded);
    end $$;

    create function clear_lead_counters() returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7305822402);
      -- Not truncate, which would wait for readers who wait for leads.
      delete from lead_counters;
      delete from lead_counter_changes;
    end $$;

    create function rebuild_lead_counters() returns void language plpgsql as $$
    begin
      -- Whoever corrects a cycle locks its lead first.
      lock table leads in exclusive mode;
      lock table sales_cycles in share row exclusive mode;
      perform clear_lead_counters();
      insert into lead_counters select * from lead_counters_by_leads order by 1, 2, 3, 4, 5, 6;
    end $$;
  `);
}

/**
 * How many leads, contacts or pieces of content have each tag. Leads have counters of their tags, some of them not folded yet;
 * the tags of the others are counted.
 */
async function tagCounts(knex: Knex): Promise<void> {
  await knex.raw(`
    create view tag_counts as
      select resource, md5(tag)::uuid as id, tag, count
      from (
        select 'leads' as resource, key as tag, sum(total) as count
        from (
          select key, total from lead_counters where kind = 'tag'
          union all select key, total from lead_counter_changes where kind = 'tag'
        ) as counter
        group by key having sum(total) > 0
        union all
        select 'contacts', tag, count(*)
        from (select distinct id, unnest(tags) as tag from contacts) as tagged group by tag
        union all
        select 'content', tag, count(*)
        from (select distinct id, unnest(tags) as tag from content) as tagged group by tag
      ) as counted;
  `);
}
