import type { Knex } from 'knex';

/**
 * Exact counts and sums of leads, so that lists and reports about money need not read the leads:
 *
 * | kind | key | period | counts by |
 * |---|---|---|---|
 * | day, month | `all` | the day or month of creation (UTC) | status, source |
 * | owner_day, owner_month | the assignee, or `none` | the same | status, source |
 * | tag | the tag | -infinity | status, source |
 * | open | the currency | the month of the expected close, or infinity | status |
 * | closed | the currency, or `none` | the day of the close (UTC) | status, the last status reached before |
 *
 * Open leads without a value have no counter of the kind `open`.
 *
 * Statement triggers write every change to lead_counter_changes. Each statement adds rows of its own, so writers never wait
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
    create table lead_counters_by_value partition of lead_counters for values in ('open', 'closed');

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

    create function lead_value_period(status text, status_changed_at timestamptz, expected_close_on date) returns date
      language sql immutable parallel safe
      return case
        when status in ('won', 'lost') then utc_date(status_changed_at)
        else coalesce(date_trunc('month', expected_close_on::timestamp)::date, 'infinity')
      end;

    create function lead_reached(
      status text, new_at timestamptz, contacted_at timestamptz, qualified_at timestamptz, won_at timestamptz
    ) returns text language sql immutable parallel safe
      return case
        when status not in ('won', 'lost') then status
        when won_at is not null then 'won'
        when qualified_at is not null then 'qualified'
        when contacted_at is not null then 'contacted'
        when new_at is not null then 'new'
        else 'none'
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
      from (${changes(countersOf('leads', '1'))}) as change,
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
    select case when status in ('won', 'lost') then 'closed' else 'open' end, coalesce(value_currency, 'none'),
      lead_value_period(status, status_changed_at, expected_close_on),
      status, '', lead_reached(status, new_at, contacted_at, qualified_at, won_at),
      ${sign}, ${sign} * coalesce(value_amount, 0)
    from ${leads}
    where value_currency is not null or status in ('won', 'lost')`;
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
      lock table leads in share row exclusive mode;
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
