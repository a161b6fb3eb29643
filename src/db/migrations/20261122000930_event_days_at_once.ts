import type { Knex } from 'knex';

/** Several processes may create the partition of a day at once: one does, and for the others it is there. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(create('check_violation or duplicate_table or unique_violation'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(create('check_violation'));
}

function create(thereAlready: string): string {
  return `
    create or replace function prepare_event_day(day date) returns boolean language plpgsql set lock_timeout = '500ms' as $$
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
    exception when ${thereAlready} then
      return false;
    end $$;
  `;
}
