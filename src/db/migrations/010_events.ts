import type { Knex } from 'knex';

/**
 * The log of all changes, kept for 90 days. Events are ordered by position, which comes from a sequence and survives a dump
 * and restore.
 *
 * A transaction may draw a position and commit long after higher positions have been committed. A reader that continues after
 * the last position it saw would miss that event. So each statement that inserts events first takes a shared advisory lock,
 * whose key is the last position drawn so far. PostgreSQL releases the lock after the commit has become visible.
 * event_horizon() is the lowest key held: no event will appear at or below it any more.
 */
export async function up(knex: Knex): Promise<void> {
  await table(knex);
  await horizon(knex);
}

async function table(knex: Knex): Promise<void> {
  await knex.raw(`
    create sequence event_positions;
    -- Without this, last_value would be 1 before the first event too.
    select nextval('event_positions');

    create table events (
      -- A UUIDv7. Its time says when the event expires.
      id uuid not null default new_uuid(),
      position bigint not null default nextval('event_positions'),
      type text not null,
      occurred_at timestamptz(3) not null default statement_timestamp(),
      request_id text not null,
      actor_type text not null constraint events_actor_type_check check (actor_type in ('client', 'hook', 'system')),
      actor_id uuid,
      actor_user_id uuid,
      resource_id uuid not null,
      -- As json, so that fields keep their order.
      object json not null,
      changes json not null default '{}',
      constraint events_pkey primary key (id)
    -- A day's events are about 1 % of the table, so that autovacuum frees their space soon after they expire.
    ) with (autovacuum_vacuum_scale_factor = 0.01);

    -- GET /events.
    create index events_position_idx on events (position);
    -- The events of one resource, and erasing people from them.
    create index events_resource_id_idx on events (resource_id, position);
    -- Leads and contacts that had an address before. Few events change an address.
    create function former_emails(changes json) returns text[] language sql immutable parallel safe
      return array(
        select lower(changes #>> '{email,from}')
        union all select lower(address) from json_array_elements_text(changes #> '{other_emails,from}') as address
      );
    create index events_former_emails_idx on events using gin (former_emails(changes))
      where changes -> 'email' is not null or changes -> 'other_emails' is not null;

    -- One row: the last expired position. The oldest event can't tell, since positions have gaps.
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
