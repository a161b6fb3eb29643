import type { Knex } from 'knex';

/**
 * Number and value of leads by status and currency: in the pipeline by month of their expected close, won or lost by day
 * (UTC) of the close and the last status that they had reached. Leads in the pipeline without a value are left out, so
 * that writing them costs nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_sums (
      status text not null,
      currency text not null,
      period date not null,
      reached text not null,
      total integer not null,
      amount numeric not null,
      constraint lead_sums_pkey primary key (status, period, currency, reached)
    );
    create table lead_sum_changes (
      status text not null,
      currency text not null,
      period date not null,
      reached text not null,
      change integer not null,
      amount numeric not null
    ) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

    -- The month of the expected close, infinity without one; or the day of the close.
    create function lead_sum_period(status text, status_changed_at timestamptz, expected_close_on date) returns date
      language sql immutable parallel safe
      return case
        when status in ('won', 'lost') then (status_changed_at at time zone 'UTC')::date
        else coalesce(date_trunc('month', expected_close_on::timestamp)::date, 'infinity')
      end;

    -- The last status of the pipeline that a closed lead had entered.
    create function lead_sum_reached(
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

    -- What lead_sums and lead_sum_changes together must say.
    create view lead_sums_by_leads as
      select status, coalesce(value_currency, 'none') as currency,
        lead_sum_period(status, status_changed_at, expected_close_on) as period,
        lead_sum_reached(status, new_at, contacted_at, qualified_at, won_at) as reached,
        count(*)::integer as total, coalesce(sum(value_amount), 0) as amount
      from leads
      where value_currency is not null or status in ('won', 'lost')
      group by 1, 2, 3, 4;

    -- Most writes concern leads that are in no sum. Looking for one first costs a third of adding up none.
    create function record_lead_sums() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if exists (select from new_leads where value_currency is not null or status in ('won', 'lost')) then
          insert into lead_sum_changes
          select status, coalesce(value_currency, 'none'), lead_sum_period(status, status_changed_at, expected_close_on),
            lead_sum_reached(status, new_at, contacted_at, qualified_at, won_at), count(*), coalesce(sum(value_amount), 0)
          from new_leads
          where value_currency is not null or status in ('won', 'lost')
          group by 1, 2, 3, 4;
        end if;
      elsif tg_op = 'DELETE' then
        if exists (select from old_leads where value_currency is not null or status in ('won', 'lost')) then
          insert into lead_sum_changes
          select status, coalesce(value_currency, 'none'), lead_sum_period(status, status_changed_at, expected_close_on),
            lead_sum_reached(status, new_at, contacted_at, qualified_at, won_at), -count(*), -coalesce(sum(value_amount), 0)
          from old_leads
          where value_currency is not null or status in ('won', 'lost')
          group by 1, 2, 3, 4;
        end if;
      elsif exists (
        select from old_leads where value_currency is not null or status in ('won', 'lost')
        union all
        select from new_leads where value_currency is not null or status in ('won', 'lost')
      ) then
        insert into lead_sum_changes
        select status, coalesce(value_currency, 'none'), lead_sum_period(status, status_changed_at, expected_close_on),
          lead_sum_reached(status, new_at, contacted_at, qualified_at, won_at),
          sum(change), sum(change * coalesce(value_amount, 0))
        from (
          select *, -1 as change from old_leads
          union all
          select *, 1 from new_leads
        ) as lead
        where value_currency is not null or status in ('won', 'lost')
        group by 1, 2, 3, 4
        having sum(change) <> 0 or sum(change * coalesce(value_amount, 0)) <> 0;
      end if;
      return null;
    end $$;

    create function fold_lead_sums(most integer) returns integer language plpgsql as $$
    declare
      folded tid[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return 0; end if;
      folded := array(select ctid from lead_sum_changes limit most);
      if folded = '{}' then return 0; end if;
      with taken as (
        delete from lead_sum_changes where ctid = any (folded) returning *
      )
      merge into lead_sums as counted
      using (
        select status, currency, period, reached, sum(change)::integer as change, sum(amount) as amount
        from taken
        group by 1, 2, 3, 4
        having sum(change) <> 0 or sum(amount) <> 0
      ) as found
      on (counted.status, counted.period, counted.currency, counted.reached)
        = (found.status, found.period, found.currency, found.reached)
      when matched and counted.total + found.change = 0 and counted.amount + found.amount = 0 then delete
      when matched then update set total = counted.total + found.change, amount = counted.amount + found.amount
      when not matched then
        insert values (found.status, found.currency, found.period, found.reached, found.change, found.amount);
      return cardinality(folded);
    end $$;

    create trigger leads_sums_inserted after insert on leads referencing new table as new_leads
      for each statement execute function record_lead_sums();
    create trigger leads_sums_updated after update on leads referencing old table as old_leads new table as new_leads
      for each statement execute function record_lead_sums();
    create trigger leads_sums_deleted after delete on leads referencing old table as old_leads
      for each statement execute function record_lead_sums();
  `);
  await upkeep(knex);
}

/** Folds, clears and rebuilds the counts by day, the counts by tag and the sums. */
async function upkeep(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Moves up to that many changes of each kind. Returns how many it moved of the kind that had most.
    create function fold_lead_counts(most integer) returns integer language plpgsql as $$
    begin
      return greatest(fold_lead_day_counts(most), fold_lead_tag_counts(most), fold_lead_sums(most));
    end $$;

    create function clear_lead_day_counts() returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7305822402);
      -- Not truncate, which would wait for readers who wait for leads.
      delete from lead_counts;
      delete from lead_count_changes;
    end $$;

    create function clear_lead_counts() returns void language plpgsql as $$
    begin
      perform clear_lead_day_counts();
      delete from lead_tag_counts;
      delete from lead_tag_count_changes;
      delete from lead_sums;
      delete from lead_sum_changes;
    end $$;

    create function truncate_lead_counts() returns trigger language plpgsql as $$
    begin
      perform clear_lead_counts();
      return null;
    end $$;

    create function rebuild_lead_day_counts() returns void language plpgsql as $$
    begin
      lock table leads in share row exclusive mode;
      perform clear_lead_counts();
      insert into lead_counts select * from lead_counts_by_leads order by 1, 2, 3, 4, 5;
    end $$;

    create function rebuild_lead_counts() returns void language plpgsql as $$
    begin
      -- Clears all counts.
      perform rebuild_lead_day_counts();
      insert into lead_tag_counts select * from lead_tag_counts_by_leads order by 1, 2, 3;
      insert into lead_sums select * from lead_sums_by_leads order by 1, 3, 2, 4;
    end $$;

    create trigger leads_truncated after truncate on leads
      for each statement execute function truncate_lead_counts();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger leads_truncated on leads;
    drop trigger leads_sums_deleted on leads;
    drop trigger leads_sums_updated on leads;
    drop trigger leads_sums_inserted on leads;
    drop function rebuild_lead_counts(), rebuild_lead_day_counts(), truncate_lead_counts(), clear_lead_counts(),
      clear_lead_day_counts(), fold_lead_counts(integer), fold_lead_sums(integer), record_lead_sums();
    drop view lead_sums_by_leads;
    drop function lead_sum_reached(text, timestamptz, timestamptz, timestamptz, timestamptz),
      lead_sum_period(text, timestamptz, date);
    drop table lead_sum_changes, lead_sums;
  `);
}
