import type { Knex } from 'knex';

/**
 * The log of all changes, kept for 90 days. Its order is position, drawn from a sequence, which a dump and restore keeps.
 *
 * A transaction may draw a position and commit long after later ones have committed. A reader that simply goes on after
 * the last position it saw would never see that event. So each statement that inserts events first takes a shared advisory
 * lock until its transaction ends, whose key is the last position drawn so far. PostgreSQL releases it after the commit has
 * become visible. event_horizon() is the lowest key held: nothing will appear at or below it any more.
 *
 * Partitioned by id, a UUIDv7, which contains the event's time. So a day can be dropped, and an id finds its partition.
 */
export async function up(knex: Knex): Promise<void> {
  await table(knex);
  await horizon(knex);
  await days(knex);
}

async function table(knex: Knex): Promise<void> {
  await knex.raw(`
    create sequence event_positions;
    -- So that last_value is the last position drawn from the beginning on.
    select nextval('event_positions');

    create table events (
      id uuid not null default new_uuid(),
      position bigint not null default nextval('event_positions'),
      type text not null,
      occurred_at timestamptz(3) not null default statement_timestamp(),
      request_id text not null,
      actor_type text not null constraint events_actor_type_check check (actor_type in ('client', 'hook', 'system')),
      actor_id uuid,
      resource_id uuid not null,
      -- As json, so that fields keep their order.
      object json not null,
      changes json not null default '{}',
      constraint events_pkey primary key (id)
    ) partition by range (id);
    -- Events outside the days that have a partition.
    create table events_default partition of events default;

    -- GET /events.
    create index events_position_idx on events (position);
    -- The events of one resource, and erasing people from them.
    create index events_resource_id_idx on events (resource_id, position);

    -- One row: the last position that was deleted after 90 days.
    create table event_retention (
      singleton boolean constraint event_retention_pkey primary key default true
        constraint event_retention_singleton_check check (singleton),
      dropped_through bigint not null
    );
    insert into event_retention (dropped_through) select last_value from event_positions;
  `);
}

async function horizon(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The upper 16 bits of the advisory locks' keys. The lower 48 bits are the position.
    create function event_lock_tag() returns bigint language sql immutable parallel safe return 17761;

    create function hold_event_horizon() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared((event_lock_tag() << 48) | last_value) from event_positions;
      return null;
    end $$;
    create trigger events_hold_horizon before insert on events
      for each statement execute function hold_event_horizon();

    -- Every event up to this position has been committed or never will be. Read it before the events, and the sequence
    -- before the locks: otherwise a position could be drawn or committed in between.
    create function event_horizon() returns bigint language plpgsql as $$
    declare
      horizon bigint := (select last_value from event_positions);
    begin
      return (
        select least(horizon, min(((classid::bigint << 32) | objid::bigint) & ((1::bigint << 48) - 1)))
        from pg_locks
        where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = event_lock_tag()
          and database = (select oid from pg_database where datname = current_database())
      );
    end $$;
  `);
}

/**
 * Creating or dropping a day's partition needs an exclusive lock. While it waits behind a long reader, everyone else waits
 * behind it, so it gives up after 50 milliseconds, and housekeeping tries again. DETACH PARTITION CONCURRENTLY would need
 * no such lock, but PostgreSQL refuses it if there is a default partition.
 */
async function days(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Creates the partition of a UTC day. Returns false if it exists, or if the default partition has events of that day.
    create function prepare_event_day(day date) returns boolean language plpgsql set lock_timeout = '50ms' as $$
    declare
      partition text := 'events_' || to_char(day, 'YYYYMMDD');
    begin
      if to_regclass(partition) is not null then
        return false;
      end if;
      execute format(
        'create table %I partition of events for values from (%L) to (%L)',
        partition, uuid_bound(day::timestamp at time zone 'UTC'), uuid_bound((day + 1)::timestamp at time zone 'UTC')
      );
      return true;
    exception when check_violation or duplicate_table or unique_violation then
      return false;
    end $$;

    -- The partitions of earlier days.
    create function event_days_before(day date) returns setof regclass language sql stable as $$
      select oid::regclass from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{8}$'
        and to_date(right(relname, 8), 'YYYYMMDD') < day
    $$;

    -- Drops the partitions of earlier days, and notes the last position dropped.
    create function drop_event_days(before date) returns void language plpgsql set lock_timeout = '50ms' as $$
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

    -- Deletes up to that many events of earlier days from the default partition. Returns how many it deleted.
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
    drop table event_retention, events;
    drop function delete_expired_events(date, integer), drop_event_days(date), event_days_before(date),
      prepare_event_day(date), event_horizon(), hold_event_horizon(), event_lock_tag();
    drop sequence event_positions;
  `);
}
