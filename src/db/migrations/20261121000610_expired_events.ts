import type { Knex } from 'knex';

/** What lies outside of the days that were prepared expires in batches, and not while days are dropped. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Drops the partitions of the days before this one, and remembers up to which position any was dropped.
    create or replace function drop_event_days(before date) returns void
      language plpgsql set lock_timeout = '500ms' as $$
    declare
      partition regclass;
      last bigint;
    begin
      if exists (select from event_days_before(before)) then
        lock table only events in access exclusive mode;
      end if;
      for partition in select event_days_before(before) loop
        execute format('lock table %s in access exclusive mode', partition);
        execute format('select max(position) from %s', partition) into last;
        execute format('drop table %s', partition);
        update event_retention set dropped_through = greatest(dropped_through, last);
      end loop;
    end $$;

    -- Deletes up to so many events of earlier days from the default partition; tells how many there were.
    create function delete_expired_events(before date, most integer) returns integer language plpgsql as $$
    declare
      deleted integer;
      last bigint;
    begin
      with expired as (
        delete from events_default where id in (
          select id from events_default where id < uuid_bound(before::timestamp at time zone 'UTC') order by id limit most
        )
        returning position
      )
      select count(*), max(position) from expired into deleted, last;
      update event_retention set dropped_through = last where dropped_through < last;
      return deleted;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function delete_expired_events(date, integer);
    create or replace function drop_event_days(before date) returns void
      language plpgsql set lock_timeout = '500ms' as $$
    declare
      partition regclass;
      last bigint;
    begin
      if exists (select from event_days_before(before)) then
        lock table only events in access exclusive mode;
      end if;
      for partition in select event_days_before(before) loop
        execute format('lock table %s in access exclusive mode', partition);
        execute format('select max(position) from %s', partition) into last;
        execute format('drop table %s', partition);
        update event_retention set dropped_through = greatest(dropped_through, last);
      end loop;
      with dropped as (
        delete from events_default where id < uuid_bound(before::timestamp at time zone 'UTC') returning position
      )
      select max(position) from dropped into last;
      update event_retention set dropped_through = last where dropped_through < last;
    end $$;
  `);
}
