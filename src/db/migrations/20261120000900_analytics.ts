import type { Knex } from 'knex';

/**
 * Digests of whole UTC days and months, from which the reports add up years: made in the background some hours after the
 * end of the day or month (src/analytics/digests.ts), a month's from those of its days, and used as long as nothing that
 * they tell of has changed since.
 *
 * Triggers note which days a statement makes stale, whoever runs it, in rows of its own, so that no two writers wait
 * for each other. Today is not digested, so what falls on it is not noted: creating a lead writes nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A span is named as date_trunc names it, and by the day on which it begins.
    create table digests (
      span text not null constraint digests_span_check check (span in ('day', 'month')),
      begins date not null,
      constraint digests_pkey primary key (span, begins)
    );

    create table stale_days (
      day date not null
    );

    -- The leads created in the span, by source and, as grouping says, by nothing else, by
    -- assignee or by content; by assignee also without the source, which is 'any' then.
    create table digest_counts (
      span text not null,
      begins date not null,
      grouping text not null,
      source text not null,
      key text not null,
      leads integer not null,
      reached_new integer not null,
      reached_contacted integer not null,
      reached_qualified integer not null,
      reached_won integer not null,
      in_new integer not null,
      in_contacted integer not null,
      in_qualified integer not null,
      in_won integer not null,
      in_lost integer not null,
      constraint digest_counts_pkey primary key (span, begins, grouping, source, key)
    );

    -- Numbers of seconds, sorted within each key: those of keys[i] end at ends[i] and add up to sums[i].
    create table digest_seconds (
      span text not null,
      begins date not null,
      kind text not null,
      grouping text not null,
      source text not null,
      keys text[] not null,
      ends integer[] not null,
      sums bigint[] not null,
      seconds integer[] not null,
      constraint digest_seconds_pkey primary key (span, begins, grouping, kind, source)
    );
    -- Sorted numbers hardly compress, and are read often.
    alter table digest_seconds alter column seconds set storage external;

    create function note_stale_days(days date[]) returns void language sql
      begin atomic
        insert into stale_days
        select distinct day from unnest(days) as day
        where day < (statement_timestamp() at time zone 'UTC')::date;
      end;

    -- The days on which something happened to these leads.
    create function days_of_leads(ids uuid[]) returns date[] language sql stable
      return array(
        select (created_at at time zone 'UTC')::date from leads where id = any (ids)
        union all
        select (changed_at at time zone 'UTC')::date from lead_status_changes where lead_id = any (ids)
      );

    create function note_stale_leads() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        -- Asked first, since a new lead is nearly always of today, and creating one should cost no more than this.
        if exists (select from new_leads where created_at < date_trunc('day', statement_timestamp(), 'UTC')) then
          perform note_stale_days(array(select (created_at at time zone 'UTC')::date from new_leads));
        end if;
      elsif tg_op = 'DELETE' then
        perform note_stale_days(array(select (created_at at time zone 'UTC')::date from old_leads));
      else
        perform note_stale_days(
          array(
            select (before.created_at at time zone 'UTC')::date
            from old_leads as before join new_leads as after using (id)
            where before.created_at <> after.created_at
          ) || days_of_leads(array(
            select id from old_leads as before join new_leads as after using (id)
            where (before.status, before.source, before.created_at, before.status_changed_at)
              is distinct from (after.status, after.source, after.created_at, after.status_changed_at)
              or (before.assigned_user_id, before.content_id)
              is distinct from (after.assigned_user_id, after.content_id)
          ))
        );
      end if;
      return null;
    end $$;

    create function note_stale_changes() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        perform note_stale_days(
          array(select (changed_at at time zone 'UTC')::date from old_changes)
          || days_of_leads(array(select lead_id from old_changes))
        );
      end if;
      if tg_op = 'DELETE' then return null; end if;
      -- What a new lead enters today makes no day stale.
      if exists (
        select from new_changes join leads on id = lead_id
        where from_status is not null or least(changed_at, created_at) < date_trunc('day', statement_timestamp(), 'UTC')
      ) then
        perform note_stale_days(days_of_leads(array(select lead_id from new_changes)));
      end if;
      return null;
    end $$;

    create function clear_digests() returns trigger language plpgsql as $$
    begin
      -- Not truncate, which would wait for readers who wait for leads.
      delete from digests;
      delete from stale_days;
      delete from digest_counts;
      delete from digest_seconds;
      return null;
    end $$;

    create trigger leads_inserted_stale after insert on leads referencing new table as new_leads
      for each statement execute function note_stale_leads();
    create trigger leads_updated_stale after update on leads referencing old table as old_leads new table as new_leads
      for each statement execute function note_stale_leads();
    create trigger leads_deleted_stale after delete on leads referencing old table as old_leads
      for each statement execute function note_stale_leads();
    create trigger leads_truncated_stale after truncate on leads
      for each statement execute function clear_digests();
    create trigger lead_status_changes_inserted_stale after insert on lead_status_changes
      referencing new table as new_changes for each statement execute function note_stale_changes();
    create trigger lead_status_changes_updated_stale after update on lead_status_changes
      referencing old table as old_changes new table as new_changes
      for each statement execute function note_stale_changes();
    create trigger lead_status_changes_deleted_stale after delete on lead_status_changes
      referencing old table as old_changes for each statement execute function note_stale_changes();
    create trigger lead_status_changes_truncated_stale after truncate on lead_status_changes
      for each statement execute function clear_digests();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger lead_status_changes_truncated_stale on lead_status_changes;
    drop trigger lead_status_changes_deleted_stale on lead_status_changes;
    drop trigger lead_status_changes_updated_stale on lead_status_changes;
    drop trigger lead_status_changes_inserted_stale on lead_status_changes;
    drop trigger leads_truncated_stale on leads;
    drop trigger leads_deleted_stale on leads;
    drop trigger leads_updated_stale on leads;
    drop trigger leads_inserted_stale on leads;
    drop function clear_digests(), note_stale_changes(), note_stale_leads(), days_of_leads(uuid[]),
      note_stale_days(date[]);
    drop table digest_seconds, digest_counts, stale_days, digests;
  `);
}
