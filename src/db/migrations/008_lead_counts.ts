import type { Knex } from 'knex';

/**
 * How many leads there are, by day and month of creation (UTC), status, source and assignee.
 *
 * Statement triggers write what each statement changes into lead_count_changes, whoever runs it. These rows are the
 * statement's own, so that no two writers wait for each other. fold_lead_day_counts() moves them to lead_counts in the
 * background. A reader adds both, in one statement. Counts by tag and sums by currency work in the same way.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_counts (
      assigned_user_id uuid not null,
      span text not null constraint lead_counts_span_check check (span in ('day', 'month')),
      begins timestamptz(3) not null,
      status text not null,
      source text not null,
      total integer not null
    ) partition by list (assigned_user_id);
    create table lead_counts_of_all partition of lead_counts (
      constraint lead_counts_of_all_pkey primary key (assigned_user_id, span, begins, status, source)
    ) for values in ('ffffffff-ffff-ffff-ffff-ffffffffffff');
    create table lead_counts_by_assignee partition of lead_counts (
      constraint lead_counts_by_assignee_pkey primary key (assigned_user_id, span, begins, status, source)
    ) default;

    -- Folded rows are deleted, so there is always something to clean up, and never much that is alive.
    create table lead_count_changes (
      begins timestamptz(3) not null,
      status text not null,
      source text not null,
      assigned_user_id uuid,
      change integer not null
    ) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

    create function utc_day(moment timestamptz) returns timestamptz
      language sql immutable strict parallel safe
      return date_trunc('day', moment at time zone 'UTC') at time zone 'UTC';

    create function utc_month(moment timestamptz) returns timestamptz
      language sql immutable strict parallel safe
      return date_trunc('month', moment at time zone 'UTC') at time zone 'UTC';

    -- Where a lead of a day counts: for its assignee and for all, in the day and in its month.
    create function lead_count_keys(day timestamptz, assignee uuid)
      returns table (assigned_user_id uuid, span text, begins timestamptz)
      language sql immutable parallel safe
      begin atomic
        select who.id, period.span, period.begins
        from (values
          ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid),
          (coalesce(assignee, '00000000-0000-0000-0000-000000000000'))
        ) as who(id)
        cross join (values ('day', day), ('month', utc_month(day))) as period(span, begins);
      end;

    -- What lead_counts and lead_count_changes together must say.
    create view lead_counts_by_leads as
      select keys.assigned_user_id, keys.span, keys.begins::timestamptz(3) as begins, status, source,
        sum(found.total)::integer as total
      from (
        select utc_day(created_at) as day, status, source, assigned_user_id, count(*) as total
        from leads
        group by 1, 2, 3, 4
      ) as found, lead_count_keys(found.day, found.assigned_user_id) as keys
      group by 1, 2, 3, 4, 5;

    create function record_lead_counts() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_count_changes
        select utc_day(created_at), status, source, assigned_user_id, count(*)
        from new_leads
        group by 1, 2, 3, 4;
      elsif tg_op = 'DELETE' then
        insert into lead_count_changes
        select utc_day(created_at), status, source, assigned_user_id, -count(*)
        from old_leads
        group by 1, 2, 3, 4;
      else
        insert into lead_count_changes
        select utc_day(created_at), status, source, assigned_user_id, sum(change)
        from (
          select created_at, status, source, assigned_user_id, -1 as change from old_leads
          union all
          select created_at, status, source, assigned_user_id, 1 from new_leads
        ) as lead
        group by 1, 2, 3, 4
        having sum(change) <> 0;
      end if;
      return null;
    end $$;

    -- Moves up to that many changes, and returns how many it moved. Only one process at a time folds; others return immediately.
    create function fold_lead_day_counts(most integer) returns integer language plpgsql as $$
    declare
      folded tid[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return 0; end if;
      folded := array(select ctid from lead_count_changes limit most);
      if folded = '{}' then return 0; end if;
      with taken as (
        delete from lead_count_changes where ctid = any (folded) returning *
      )
      merge into lead_counts as counted
      using (
        select keys.assigned_user_id, keys.span, keys.begins, status, source, sum(change)::integer as change
        from taken, lead_count_keys(taken.begins, taken.assigned_user_id) as keys
        group by 1, 2, 3, 4, 5
        having sum(change) <> 0
      ) as found
      on (counted.assigned_user_id, counted.span, counted.begins, counted.status, counted.source)
        = (found.assigned_user_id, found.span, found.begins, found.status, found.source)
      when matched and counted.total + found.change = 0 then delete
      when matched then update set total = counted.total + found.change
      when not matched then insert values (
        found.assigned_user_id, found.span, found.begins, found.status, found.source, found.change
      );
      return cardinality(folded);
    end $$;

    create trigger leads_inserted after insert on leads referencing new table as new_leads
      for each statement execute function record_lead_counts();
    create trigger leads_updated after update on leads referencing old table as old_leads new table as new_leads
      for each statement execute function record_lead_counts();
    create trigger leads_deleted after delete on leads referencing old table as old_leads
      for each statement execute function record_lead_counts();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger leads_deleted on leads;
    drop trigger leads_updated on leads;
    drop trigger leads_inserted on leads;
    drop function fold_lead_day_counts(integer), record_lead_counts();
    drop view lead_counts_by_leads;
    drop function lead_count_keys(timestamptz, uuid), utc_month(timestamptz), utc_day(timestamptz);
    drop table lead_count_changes, lead_counts;
  `);
}
