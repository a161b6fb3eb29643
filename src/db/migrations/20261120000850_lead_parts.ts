import type { Knex } from 'knex';

/** Divides days that hold so many leads that a page would be far from the begin of its day. See lead_counters. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Divides the largest part of more than so many leads into parts of half as many; tells whether there was one. Who
    -- writes leads waits for the recount, about a second for a million leads; when that can't begin soon, it is left.
    create function split_lead_parts(most integer) returns boolean language plpgsql as $$
    declare
      whole lead_parts;
      marks lead_parts[];
    begin
      if not pg_try_advisory_xact_lock(7305822402) then return false; end if;
      select counted.begins, counted.first_id,
        coalesce(part.ends, counted.begins + interval '24 hours'),
        coalesce(part.next_id, '00000000-0000-0000-0000-000000000000')
      into whole
      from (
        select begins, first_id, sum(total) as total
        from lead_counts
        where assigned_user_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' and span = 'part'
        group by 1, 2
      ) as counted
      left join lead_parts as part on (part.begins, part.first_id) = (counted.begins, counted.first_id)
      where total > most
      order by total desc
      limit 1;
      if not found then return false; end if;
      marks := array(
        select row(begins, first_id, lead(begins, 1, whole.ends) over near, lead(first_id, 1, whole.next_id) over near)::lead_parts
        from (
          select case place when 0 then whole.begins else created_at end as begins,
            case place when 0 then whole.first_id else id end as first_id
          from (
            select created_at, id, row_number() over (order by created_at, id) - 1 as place
            from leads
            where (created_at, id) >= (whole.begins, whole.first_id) and (created_at, id) < (whole.ends, whole.next_id)
          ) as lead
          where place % (most / 2) = 0
        ) as mark
        window near as (order by begins, first_id)
      );
      if cardinality(marks) < 2 then return false; end if;
      begin
        perform set_config('lock_timeout', '200ms', true);
        lock table leads in share row exclusive mode;
      exception when lock_not_available then
        return false;
      end;
      -- Nobody adds changes now; none may be left that name the part as it was.
      while fold_lead_counts(100000) > 0 loop end loop;
      delete from lead_parts where (begins, first_id) = (whole.begins, whole.first_id);
      insert into lead_parts select * from unnest(marks);
      create temporary table recounted on commit drop as
        select coalesce(assigned_user_id, '00000000-0000-0000-0000-000000000000') as assigned_user_id,
          part.begins, part.first_id, status, source, count(*)::integer as total
        from leads as lead, lead_part(lead.created_at, lead.id) as part
        where (lead.created_at, lead.id) >= (whole.begins, whole.first_id)
          and (lead.created_at, lead.id) < (whole.ends, whole.next_id)
        group by 1, 2, 3, 4, 5;
      insert into recounted
        select 'ffffffff-ffff-ffff-ffff-ffffffffffff', begins, first_id, status, source, sum(total)
        from recounted group by 2, 3, 4, 5;
      delete from lead_counts
      where assigned_user_id = any (array(select distinct assigned_user_id from recounted))
        and span = 'part' and (begins, first_id) = (whole.begins, whole.first_id);
      insert into lead_counts
        select assigned_user_id, 'part', begins, first_id, status, source, total from recounted;
      drop table recounted;
      return true;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function split_lead_parts(integer);');
}
