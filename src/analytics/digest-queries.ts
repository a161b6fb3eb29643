import type { Db } from '../db/knex.ts';
import type { Condition } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import { countColumns } from './facts.ts';
import { cohort, counts, durations, entries, events, type Live, stays } from './live.ts';

/** Any number, the same in every process. */
const LOCK = 7_305_822_403;
/**
 * A day is digested when this long has passed since its begin: whatever was written on the day itself, and so not noted as
 * making it stale, is committed by then.
 */
const MIN_AGE = '30 hours';

/**
 * The newest days (UTC) on which something happened and that have no digest that holds, at most so many. The days are
 * found by leaping along the indexes from each to the next.
 */
export async function findUndigestedDays(db: Db, most: number): Promise<string[]> {
  const rows = await run<{ day: string }>(db, {
    name: 'undigested_days',
    sql: `with recursive days as (
        select '-infinity'::timestamp as day
        union all
        select date_trunc('day', least(
          (select min(created_at) from leads where created_at >= (day + interval '1 day') at time zone 'UTC'),
          (select min(earliest) from unnest('{new,contacted,qualified,won,lost}'::text[]) as status
            cross join lateral (
              select min(changed_at) as earliest from lead_status_changes
              where to_status = status and changed_at >= (day + interval '1 day') at time zone 'UTC'
            ) changed)
        ) at time zone 'UTC')
        from days where day is not null
      )
      select day::text from (
        select day::date from days
        where day > '-infinity' and day <= (statement_timestamp() - interval '${MIN_AGE}') at time zone 'UTC'
        except select day from digested_days
        union select day from stale_days
      ) undigested order by day desc limit ?`,
    bindings: [most],
  });
  return rows.map(({ day }) => day);
}

/** True when no other process makes digests now; none will until the transaction ends. */
export async function claimDigests(trx: Db): Promise<boolean> {
  const [row] = await run<{ claimed: boolean }>(trx, {
    sql: 'select pg_try_advisory_xact_lock(?) as claimed',
    bindings: [LOCK],
  });
  return row?.claimed === true;
}

/** Makes the day's digest anew, of what the transaction sees; whoever changes it meanwhile notes it as stale again. */
export async function digestDay(trx: Db, day: string): Promise<void> {
  const begin = Date.parse(day);
  const live = { spans: [{ begin, end: begin + 86_400_000 }], conditions: [] };
  for (const table of ['stale_days', 'day_counts', 'day_seconds']) {
    await run(trx, sql`delete from ${raw(table)} where day = ${day}::date`);
  }
  await run(trx, insertCounts(live, day));
  await run(trx, insertSeconds(live, day));
  await run(trx, sql`insert into digested_days (day) values (${day}::date) on conflict do nothing`);
}

const assignee = sql`coalesce(assigned_user_id::text, 'none')`;

function insertCounts(live: Live, day: string): Condition {
  return sql`
    insert into day_counts (day, grouping, source, key, ${raw(countColumns.join(', '))})
    select ${day}::date, grouping, source, key, ${counts}
    from (${cohort(live)}) cohort cross join lateral (values
      ('all', 'none'), ('assigned_user', ${assignee}), ('content', coalesce(content_id::text, 'none'))
    ) packings(grouping, key)
    group by grouping, source, key`;
}

function insertSeconds(live: Live, day: string): Condition {
  return sql`
    with found as (
      select source, assigned_user_id, null as status, kind, second from (${durations(cohort(live))}) durations
      union all
      select source, assigned_user_id, null, kind, second from (${stays(live)}) stays
      union all
      select source, assigned_user_id, null, kind, null from (${entries(live)}) entries
      union all
      select source, assigned_user_id, status, kind,
        floor(extract(epoch from happened_at at time zone 'UTC' - ${day}::timestamp))::int
      from (${events(live)}) events
    ),
    -- Only events are told apart by status, and they need no packing without: there are but five.
    packed as materialized (
      select kind, grouping, source, key, second from found cross join lateral (values
        ('assigned_user', ${assignee}), ('status', status), ('all', case when status is null then 'none' end)
      ) packings(grouping, key)
      where key is not null
    ),
    groups as (
      select kind, grouping, source, key, coalesce(sum(second), 0) as sum,
        sum(count(*)) over (partition by kind, grouping, source order by key) as upto
      from packed group by kind, grouping, source, key
    ),
    ended as (
      select kind, grouping, source, array_agg(key order by key) as keys, array_agg(upto order by key) as ends,
        array_agg(sum order by key) as sums
      from groups group by kind, grouping, source
    ),
    sorted as (
      select kind, grouping, source,
        coalesce(array_agg(second order by key, second) filter (where second is not null), '{}') as seconds
      from packed group by kind, grouping, source
    )
    insert into day_seconds (day, kind, grouping, source, keys, ends, sums, seconds)
    select ${day}::date, kind, grouping, source, keys, ends, sums, seconds
    from ended join sorted using (kind, grouping, source)`;
}
