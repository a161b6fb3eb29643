import type { Knex } from 'knex';

/** The tables whose lists can be read in order of change, by updated_at. */
const tables = [
  'leads',
  'contacts',
  'content',
  'users',
  'notes',
  'webhooks',
  'inbound_hooks',
  'api_clients',
  'api_keys',
];

/** The trigger of leads that dates their statuses. A change of the status alone is dated like the change of the row. */
const noteMilestones = (time: string) => `
    create or replace function note_milestones() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.status <> old.status and new.status_changed_at = old.status_changed_at then
        new.status_changed_at := ${time};
      end if;
      new.won_at := least(new.won_at, case new.status when 'won' then new.status_changed_at end);
      new.qualified_at := least(new.qualified_at, new.won_at, case new.status when 'qualified' then new.status_changed_at end);
      new.contacted_at := least(new.contacted_at, new.qualified_at, case new.status when 'contacted' then new.status_changed_at end);
      new.new_at := least(new.new_at, new.contacted_at, case new.status when 'new' then new.status_changed_at end);
      new.lost_at := least(new.lost_at, case new.status when 'lost' then new.status_changed_at end);
      return new;
    end $$;`;

/** Their columns with the time of a change. */
const columns = (table: string) => [
  'created_at',
  'updated_at',
  ...(table === 'leads' ? ['status_changed_at'] : []),
];

const setDefaults = (value: string) =>
  tables
    .map(
      (table) =>
        `alter table ${table} ${columns(table)
          .map((name) => `alter ${name} set default ${value}`)
          .join(', ')};`,
    )
    .join('\n');

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
  await knex.raw(noteMilestones('change_time()'));
  await knex.raw(setDefaults('change_time()'));
  await knex.raw(
    tables
      .map(
        (table) => `create trigger ${table}_hold_horizon before insert or update on ${table}
          for each statement execute function hold_change_horizon();`,
      )
      .join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(noteMilestones('statement_timestamp()'));
  await knex.raw(setDefaults('now()'));
  await knex.raw(tables.map((table) => `drop trigger ${table}_hold_horizon on ${table};`).join('\n'));
  await knex.raw('drop function change_horizon(), hold_change_horizon(), change_time(), change_lock_tag()');
}
