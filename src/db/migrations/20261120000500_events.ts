import type { Knex } from 'knex';

/**
 * The log of all changes. Its order is position, drawn from a sequence, which a dump and restore carries along.
 *
 * A transaction may draw a position and commit long after later ones have committed, so a reader that simply goes on
 * behind the last position it saw would skip that event for ever. Therefore each statement that writes events first
 * takes a shared advisory lock, until its transaction ends, whose key is the last position drawn so far; PostgreSQL lets
 * go of it after the commit has become visible. event_horizon() is the lowest key held: everything up to there has been
 * decided, and nothing will appear below it any more.
 *
 * Partitioned by id, a UUIDv7, whose time is that of the event: so a day can be dropped, and an id finds its partition.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A UUIDv7 (RFC 9562); PostgreSQL has its own from version 18 on.
    create function new_uuid(at timestamptz default clock_timestamp()) returns uuid
      language sql volatile parallel safe
      return encode(
        set_bit(
          set_bit(
            overlay(
              uuid_send(gen_random_uuid())
              placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6
            ),
            52, 1
          ),
          53, 1
        ),
        'hex'
      )::uuid;

    -- The smallest UUIDv7 of that millisecond: a bound between what was made before and since.
    create function uuid_bound(at timestamptz) returns uuid
      language sql immutable strict parallel safe
      return (
        lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000'
      )::uuid;

    create sequence event_positions;
    -- So that last_value is the last position drawn, from the beginning on.
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
      object json not null,
      changes json not null default '{}',
      constraint events_pkey primary key (id)
    ) partition by range (id);
    create index events_position_idx on events (position);
    create index events_resource_id_idx on events (resource_id, position);
    -- For what lies outside the days that were prepared.
    create table events_default partition of events default;

    -- The high 16 bits of our advisory locks' keys; the lower 48 are the position.
    create function event_lock_tag() returns bigint language sql immutable parallel safe return 17761;

    create function hold_event_horizon() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared((event_lock_tag() << 48) | last_value) from event_positions;
      return null;
    end $$;
    create trigger events_hold_horizon before insert on events
      for each statement execute function hold_event_horizon();

    -- Up to this position every event is committed or never will be. The sequence is asked before the locks, and both
    -- before the events are read: the other way round, one could be drawn or committed in between.
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

    -- One row: the last position that was dropped when its day was 90 days past.
    create table event_retention (
      singleton boolean constraint event_retention_pkey primary key default true
        constraint event_retention_singleton_check check (singleton),
      dropped_through bigint not null
    );
    insert into event_retention (dropped_through) select last_value from event_positions;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table event_retention, events;
    drop function event_horizon(), hold_event_horizon(), event_lock_tag(), uuid_bound(timestamptz), new_uuid(timestamptz);
    drop sequence event_positions;
  `);
}
