import type { Knex } from 'knex';

/** What keeps the log small, and persons out of it once they are deleted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Makes the partition of a UTC day; false when there is one, or when the default partition has events of that day.
    -- Whoever waits for the lock makes all others wait, so it does not wait long.
    create function prepare_event_day(day date) returns boolean language plpgsql set lock_timeout = '500ms' as $$
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
    exception when check_violation then
      return false;
    end $$;

    -- The partitions of days before this one.
    create function event_days_before(day date) returns setof regclass language sql stable as $$
      select oid::regclass from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'events'::regclass and relname ~ '^events_[0-9]{8}$'
        and to_date(right(relname, 8), 'YYYYMMDD') < day
    $$;

    -- Drops the events of the days before this one, and remembers up to which position any was dropped.
    create function drop_event_days(before date) returns void language plpgsql set lock_timeout = '500ms' as $$
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

    -- What leads and contacts tell of a person, replaced; everything else, and the order, stays.
    create function erase_person(fields json, email text) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, case
          when key = 'name' then to_json('Erased'::text)
          when key = 'email' and value::text <> 'null' then to_json(email)
          when key in ('phone', 'company', 'title', 'external_id', 'lost_reason') then 'null'::json
          when key = 'tags' then '[]'::json
          when key = 'metadata' then '{}'::json
          else value
        end order by n), '{}'::json)
        from json_each(fields) with ordinality as field(key, value, n)
      );

    -- The same in {field: {from, to}}.
    create function erase_person_changes(changes json, email text) returns json language sql immutable parallel safe
      return (
        select coalesce(json_object_agg(key, json_build_object(
          'from', erase_person(json_build_object(key, value -> 'from'), email) -> key,
          'to', erase_person(json_build_object(key, value -> 'to'), email) -> key
        ) order by n), '{}'::json)
        from json_each(changes) with ordinality as field(key, value, n)
      );

    -- The same in an answer, for the resource with this id: in {data}, or in a member of it.
    create function erase_person_answer(body json, id text, email text) returns json
      language sql immutable parallel safe
      return json_build_object('data', case
        when body #>> '{data,id}' = id then erase_person(body -> 'data', email)
        else (
          select json_object_agg(key, case
            when json_typeof(value) = 'object' and value ->> 'id' = id then erase_person(value, email)
            else value
          end order by n)
          from json_each(body -> 'data') with ordinality as member(key, value, n)
        )
      end);

    alter table idempotency_keys add people uuid[] not null default '{}';
    create index idempotency_keys_people_idx on idempotency_keys using gin (people) where people <> '{}';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table idempotency_keys drop people;
    drop function erase_person_answer(json, text, text), erase_person_changes(json, text), erase_person(json, text),
      drop_event_days(date), event_days_before(date), prepare_event_day(date);
  `);
}
