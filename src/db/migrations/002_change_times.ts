import type { Knex } from 'knex';

/**
 * A transaction that changes a row may commit long after others with a later updated_at. A client that continues after the
 * greatest updated_at it saw would miss that row. As with events, each transaction that changes a row holds a shared
 * advisory lock until its changes are visible. The key is the transaction's start, so no change will appear before the lowest
 * key held: the change horizon. Transactions that only read, autovacuum and other databases hold no such lock.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The upper 16 bits of the advisory locks' keys. The lower 48 bits are milliseconds since the epoch.
    create function change_lock_tag() returns bigint language sql immutable parallel safe return 17762;

    -- The time of a change, for updated_at. The same throughout a statement. Not statement_timestamp() alone: the statement
    -- with the first change begins before the lock is held, so a reader that came in between would be ahead of it.
    create function change_time() returns timestamptz language plpgsql as $$
    declare
      held text := current_setting('lead_pipeline.held_horizon_at', true);
    begin
      if held is null or held = '' then
        perform pg_advisory_xact_lock_shared(
          (change_lock_tag() << 48) | floor(extract(epoch from now()) * 1000)::bigint
        );
        held := extract(epoch from clock_timestamp())::text;
        -- Until the transaction or the savepoint ends, as the lock.
        perform set_config('lead_pipeline.held_horizon_at', held, true);
      end if;
      return date_trunc('milliseconds', greatest(statement_timestamp(), to_timestamp(held::float8)));
    end $$;

    -- For statements that don't ask for the time of the change, such as an operator's.
    create function hold_change_horizon() returns trigger language plpgsql as $$
    begin
      perform change_time();
      return null;
    end $$;

    -- No change with an earlier updated_at will be committed any more. Read it in a statement before the rows. The clock is
    -- read before the locks: otherwise a transaction could take its lock and commit in between.
    create function change_horizon() returns timestamptz language plpgsql as $$
    declare
      horizon timestamptz := date_trunc('milliseconds', clock_timestamp());
    begin
      return (
        select least(horizon, timestamptz 'epoch' + interval '1 millisecond' *
          min(((classid::bigint << 32) | objid::bigint) & ((1::bigint << 48) - 1)))
        from pg_locks
        where locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = change_lock_tag()
          and database = (select oid from pg_database where datname = current_database())
      );
    end $$;
  `);
}
