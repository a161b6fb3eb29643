import type { Knex } from 'knex';

/**
 * When a lead first entered each status or a later one, as the filter `reached` has it (`lost` is none of the later
 * ones), and how many seconds it was in the status that it left; with indexes that cover what the reports count.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    set local maintenance_work_mem = '256MB';

    alter table leads
      add column new_at timestamptz(3),
      add column contacted_at timestamptz(3),
      add column qualified_at timestamptz(3),
      add column won_at timestamptz(3),
      add column lost_at timestamptz(3);
    alter table lead_status_changes add column seconds integer;

    create function seconds_in_status(lead uuid, left_status text, left_at timestamptz) returns integer
      language plpgsql stable as $$
    begin
      return greatest(0, floor(date_part('epoch', left_at - max(changed_at))))
      from lead_status_changes
      where lead_id = lead and to_status = left_status and changed_at <= left_at;
    end $$;

    -- For the rows that are there. To write their tables anew is far quicker than to update each row.
    create function first_time(lead leads, statuses text[]) returns timestamptz language plpgsql stable as $$
    begin
      return least(min(changed_at), case when lead.status = any (statuses) then lead.status_changed_at end)
      from lead_status_changes
      where lead_id = lead.id and to_status = any (statuses);
    end $$;
    drop index leads_created_at_idx, leads_assigned_user_id_idx, leads_content_id_idx;
    alter table leads
      alter new_at type timestamptz(3) using first_time(leads, '{new,contacted,qualified,won}'),
      alter contacted_at type timestamptz(3) using first_time(leads, '{contacted,qualified,won}'),
      alter qualified_at type timestamptz(3) using first_time(leads, '{qualified,won}'),
      alter won_at type timestamptz(3) using first_time(leads, '{won}'),
      alter lost_at type timestamptz(3) using first_time(leads, '{lost}');
    alter table lead_status_changes
      alter seconds type integer using case
        when from_status is not null then seconds_in_status(lead_id, from_status, changed_at)
      end;
    drop function first_time(leads, text[]);

    create index leads_created_at_idx on leads (created_at, id)
      include (status, source, assigned_user_id, content_id, status_changed_at, new_at, contacted_at, qualified_at, won_at);
    create index leads_assigned_user_id_idx on leads (assigned_user_id, created_at, id)
      include (contacted_at, status_changed_at);
    create index leads_content_id_idx on leads (content_id, created_at, id)
      include (status, status_changed_at) where content_id is not null;
    create index leads_contacted_at_idx on leads (contacted_at)
      include (status, source, assigned_user_id, content_id, created_at) where contacted_at is not null;
    create index leads_qualified_at_idx on leads (qualified_at)
      include (status, source, assigned_user_id, content_id, created_at, contacted_at) where qualified_at is not null;
    create index leads_won_at_idx on leads (won_at)
      include (status, source, assigned_user_id, content_id, created_at, qualified_at) where won_at is not null;
    create index leads_lost_at_idx on leads (lost_at)
      include (status, source, assigned_user_id, content_id) where lost_at is not null;
    create index lead_status_changes_from_status_idx on lead_status_changes (from_status, changed_at)
      include (lead_id, seconds) where from_status is not null;

    -- An index alone answers for what is known to be visible to all, which VACUUM notes.
    alter table leads set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
    alter table lead_status_changes
      set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

    -- An event tells all fields of a lead, as they were then.
    update events set object = (left(object::text, -1) || ',' || substr(first_times, 2))::json
    from (
      select events.id, json_object_agg(field, to_char(
        case when first_at <= occurred_at then first_at end at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
      ))::text as first_times
      from events left join leads on leads.id = resource_id cross join lateral (values
        ('first_contacted_at', contacted_at), ('first_qualified_at', qualified_at),
        ('first_won_at', won_at), ('first_lost_at', lost_at)
      ) as shown(field, first_at)
      where type like 'lead.%' and type <> 'lead.deleted'
      group by events.id
    ) as told
    where told.id = events.id;

    create function note_milestones() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.status <> old.status and new.status_changed_at = old.status_changed_at then
        new.status_changed_at := statement_timestamp();
      end if;
      new.won_at := least(new.won_at, case new.status when 'won' then new.status_changed_at end);
      new.qualified_at := least(new.qualified_at, new.won_at, case new.status when 'qualified' then new.status_changed_at end);
      new.contacted_at := least(new.contacted_at, new.qualified_at, case new.status when 'contacted' then new.status_changed_at end);
      new.new_at := least(new.new_at, new.contacted_at, case new.status when 'new' then new.status_changed_at end);
      new.lost_at := least(new.lost_at, case new.status when 'lost' then new.status_changed_at end);
      return new;
    end $$;
    create trigger leads_milestones before insert or update of status on leads
      for each row execute function note_milestones();

    create function note_seconds() returns trigger language plpgsql as $$
    begin
      new.seconds := seconds_in_status(new.lead_id, new.from_status, new.changed_at);
      return new;
    end $$;
    create trigger lead_status_changes_seconds before insert on lead_status_changes
      for each row when (new.from_status is not null and new.seconds is null) execute function note_seconds();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger lead_status_changes_seconds on lead_status_changes;
    drop trigger leads_milestones on leads;
    drop function note_seconds(), note_milestones(), seconds_in_status(uuid, text, timestamptz);
    alter table leads reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor);
    alter table lead_status_changes reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor);
    drop index lead_status_changes_from_status_idx, leads_created_at_idx, leads_assigned_user_id_idx, leads_content_id_idx;
    alter table lead_status_changes drop column seconds;
    alter table leads
      drop column new_at, drop column contacted_at, drop column qualified_at, drop column won_at, drop column lost_at;
    create index leads_created_at_idx on leads (created_at, id);
    create index leads_assigned_user_id_idx on leads (assigned_user_id, created_at, id);
    create index leads_content_id_idx on leads (content_id, created_at, id) where content_id is not null;
  `);
}
