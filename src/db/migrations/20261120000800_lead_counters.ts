import type { Knex } from 'knex';

/**
 * How many leads there are, by time of creation (UTC), status, source and assignee.
 *
 * Triggers write what each statement changes, whoever runs it, into lead_count_changes: rows of that statement's own,
 * so that no two writers wait for each other. fold_lead_counts() moves them to lead_counts in the background; who
 * reads adds both, in one statement.
 *
 * Time is counted in months and in parts. A part is a day, unless the day holds very many leads: then
 * split_lead_parts(), of the next migration, divides it between two leads, in the order of (created_at, id), since an
 * import may give all of them the same moment. A part is named by where it begins.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The parts of divided days only.
    create table lead_parts (
      begins timestamptz(3) not null,
      first_id uuid not null,
      ends timestamptz(3) not null,
      next_id uuid not null,
      constraint lead_parts_pkey primary key (begins, first_id)
    );

    -- The nil UUID is for leads that nobody has; the one of all ones for all leads, whoever has them. These lie apart
    -- from the others, of which there are a hundred times as many, since nearly every list reads them.
    create table lead_counts (
      assigned_user_id uuid not null,
      span text not null constraint lead_counts_span_check check (span in ('part', 'month')),
      begins timestamptz(3) not null,
      first_id uuid not null,
      status text not null,
      source text not null,
      total integer not null
    ) partition by list (assigned_user_id);
    create table lead_counts_of_all partition of lead_counts (
      constraint lead_counts_of_all_pkey
        primary key (assigned_user_id, span, begins, first_id, status, source)
    ) for values in ('ffffffff-ffff-ffff-ffff-ffffffffffff');
    create table lead_counts_by_assignee partition of lead_counts (
      constraint lead_counts_by_assignee_pkey
        primary key (assigned_user_id, span, begins, first_id, status, source)
    ) default;

    -- Folded rows are deleted, so there is always something to clean up, and never much that is alive.
    create table lead_count_changes (
      begins timestamptz(3) not null,
      first_id uuid not null,
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

    create function lead_part(created_at timestamptz, id uuid)
      returns table (begins timestamptz, first_id uuid)
      language sql stable parallel safe
      begin atomic
        select coalesce(part.begins, utc_day(lead_part.created_at)),
          coalesce(part.first_id, '00000000-0000-0000-0000-000000000000')
        from (values (true)) as one
        left join lateral (
          select begins, first_id
          from lead_parts
          where lead_parts.begins >= utc_day(lead_part.created_at)
            and (lead_parts.begins, lead_parts.first_id) <= (lead_part.created_at, lead_part.id)
          order by begins desc, first_id desc
          limit 1
        ) as part on true;
      end;

    -- Where a lead of a part counts: for its assignee and for all, in the part and in its month.
    create function lead_count_keys(begins timestamptz, first_id uuid, assignee uuid)
      returns table (assigned_user_id uuid, span text, begins timestamptz, first_id uuid)
      language sql immutable parallel safe
      begin atomic
        select who.id, period.span, period.begins, period.first_id
        from (values
          ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid),
          (coalesce(assignee, '00000000-0000-0000-0000-000000000000'))
        ) as who(id)
        cross join (values
          ('part', lead_count_keys.begins, lead_count_keys.first_id),
          ('month', utc_month(lead_count_keys.begins), '00000000-0000-0000-0000-000000000000')
        ) as period(span, begins, first_id);
      end;

    -- What lead_counts and lead_count_changes together must say.
    create view lead_counts_by_leads as
      select keys.assigned_user_id, keys.span, keys.begins::timestamptz(3) as begins, keys.first_id, status, source,
        sum(found.total)::integer as total
      from (
        select part.begins, part.first_id, status, source, assigned_user_id, count(*) as total
        from leads, lead_part(leads.created_at, leads.id) as part
        group by 1, 2, 3, 4, 5
      ) as found, lead_count_keys(found.begins, found.first_id, found.assigned_user_id) as keys
      group by 1, 2, 3, 4, 5, 6;

    create function record_lead_counts() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_count_changes
        select part.begins, part.first_id, status, source, assigned_user_id, count(*)
        from new_leads as lead, lead_part(lead.created_at, lead.id) as part
        group by 1, 2, 3, 4, 5;
      elsif tg_op = 'DELETE' then
        insert into lead_count_changes
        select part.begins, part.first_id, status, source, assigned_user_id, -count(*)
        from old_leads as lead, lead_part(lead.created_at, lead.id) as part
        group by 1, 2, 3, 4, 5;
      else
        insert into lead_count_changes
        select part.begins, part.first_id, status, source, assigned_user_id, sum(change)
        from (
          select created_at, id, status, source, assigned_user_id, -1 as change from old_leads
          union all
          select created_at, id, status, source, assigned_user_id, 1 from new_leads
        ) as lead, lead_part(lead.created_at, lead.id) as part
        group by 1, 2, 3, 4, 5
        having sum(change) <> 0;
      end if;
      return null;
    end $$;

    -- Moves up to so many changes, and tells how many. One process at a time does it; who comes second leaves it to the first.
    create function fold_lead_counts(most integer) returns integer language plpgsql as $$
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
        select keys.assigned_user_id, keys.span, keys.begins, keys.first_id, status, source,
          sum(change)::integer as change
        from taken, lead_count_keys(taken.begins, taken.first_id, taken.assigned_user_id) as keys
        group by 1, 2, 3, 4, 5, 6
        having sum(change) <> 0
      ) as found
      on (counted.assigned_user_id, counted.span, counted.begins, counted.first_id, counted.status, counted.source)
        = (found.assigned_user_id, found.span, found.begins, found.first_id, found.status, found.source)
      when matched and counted.total + found.change = 0 then delete
      when matched then update set total = counted.total + found.change
      when not matched then insert values (
        found.assigned_user_id, found.span, found.begins, found.first_id, found.status, found.source, found.change
      );
      return cardinality(folded);
    end $$;

    create function clear_lead_counts() returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7305822402);
      -- Not truncate, which would wait for readers who wait for leads.
      delete from lead_counts;
      delete from lead_count_changes;
      delete from lead_parts;
    end $$;

    create function truncate_lead_counts() returns trigger language plpgsql as $$
    begin
      perform clear_lead_counts();
      return null;
    end $$;

    create function rebuild_lead_counts() returns void language plpgsql as $$
    begin
      lock table leads in share row exclusive mode;
      perform clear_lead_counts();
      insert into lead_counts select * from lead_counts_by_leads order by 1, 2, 3, 4, 5, 6;
    end $$;

    create trigger leads_inserted after insert on leads referencing new table as new_leads
      for each statement execute function record_lead_counts();
    create trigger leads_updated after update on leads referencing old table as old_leads new table as new_leads
      for each statement execute function record_lead_counts();
    create trigger leads_deleted after delete on leads referencing old table as old_leads
      for each statement execute function record_lead_counts();
    create trigger leads_truncated after truncate on leads
      for each statement execute function truncate_lead_counts();

    select rebuild_lead_counts();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger leads_truncated on leads;
    drop trigger leads_deleted on leads;
    drop trigger leads_updated on leads;
    drop trigger leads_inserted on leads;
    drop function rebuild_lead_counts(), truncate_lead_counts(), clear_lead_counts(), fold_lead_counts(integer),
      record_lead_counts();
    drop view lead_counts_by_leads;
    drop function lead_count_keys(timestamptz, uuid, uuid), lead_part(timestamptz, uuid), utc_month(timestamptz),
      utc_day(timestamptz);
    drop table lead_count_changes, lead_counts, lead_parts;
  `);
}
