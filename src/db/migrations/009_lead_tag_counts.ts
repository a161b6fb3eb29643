import type { Knex } from 'knex';

/** How many leads have each tag, by status and source. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_tag_counts (
      tag text not null,
      status text not null,
      source text not null,
      total integer not null,
      constraint lead_tag_counts_pkey primary key (tag, status, source)
    );
    create table lead_tag_count_changes (
      tag text not null,
      status text not null,
      source text not null,
      change integer not null
    ) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

    -- What lead_tag_counts and lead_tag_count_changes together must say. A tag that a lead has twice counts once.
    create view lead_tag_counts_by_leads as
      select tag, status, source, sum(total)::integer as total
      from (
        select distinct tags, unnest(tags) as tag, status, source, total
        from (select tags, status, source, count(*) as total from leads group by 1, 2, 3) as found
      ) as lead
      where tag is not null
      group by 1, 2, 3;

    -- Finding repeated tags for all leads of the statement together is quicker than for each lead.
    create function record_lead_tag_counts() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_tag_count_changes
        select tag, status, source, count(*)
        from (select distinct id, unnest(tags) as tag, status, source from new_leads) as lead
        where tag is not null
        group by 1, 2, 3;
      elsif tg_op = 'DELETE' then
        insert into lead_tag_count_changes
        select tag, status, source, -count(*)
        from (select distinct id, unnest(tags) as tag, status, source from old_leads) as lead
        where tag is not null
        group by 1, 2, 3;
      else
        insert into lead_tag_count_changes
        select tag, status, source, sum(change)
        from (
          select distinct tags, unnest(tags) as tag, status, source, change
          from (
            select tags, status, source, sum(change) as change
            from (
              select tags, status, source, -1 as change from old_leads
              union all
              select tags, status, source, 1 from new_leads
            ) as lead
            group by 1, 2, 3
            having sum(change) <> 0
          ) as changed
        ) as lead
        where tag is not null
        group by 1, 2, 3
        having sum(change) <> 0;
      end if;
      return null;
    end $$;

    create function fold_lead_tag_counts(most integer) returns integer language plpgsql as $$
    declare
      folded tid[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return 0; end if;
      folded := array(select ctid from lead_tag_count_changes limit most);
      if folded = '{}' then return 0; end if;
      with taken as (
        delete from lead_tag_count_changes where ctid = any (folded) returning *
      )
      merge into lead_tag_counts as counted
      using (
        select tag, status, source, sum(change)::integer as change
        from taken
        group by 1, 2, 3
        having sum(change) <> 0
      ) as found
      on (counted.tag, counted.status, counted.source) = (found.tag, found.status, found.source)
      when matched and counted.total + found.change = 0 then delete
      when matched then update set total = counted.total + found.change
      when not matched then insert values (found.tag, found.status, found.source, found.change);
      return cardinality(folded);
    end $$;

    create trigger leads_tags_inserted after insert on leads referencing new table as new_leads
      for each statement execute function record_lead_tag_counts();
    create trigger leads_tags_updated after update on leads referencing old table as old_leads new table as new_leads
      for each statement execute function record_lead_tag_counts();
    create trigger leads_tags_deleted after delete on leads referencing old table as old_leads
      for each statement execute function record_lead_tag_counts();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger leads_tags_deleted on leads;
    drop trigger leads_tags_updated on leads;
    drop trigger leads_tags_inserted on leads;
    drop function fold_lead_tag_counts(integer), record_lead_tag_counts();
    drop view lead_tag_counts_by_leads;
    drop table lead_tag_count_changes, lead_tag_counts;
  `);
}
