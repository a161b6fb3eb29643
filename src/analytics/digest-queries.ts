import type { Db } from '../db/knex.ts';
import type { Condition } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { run } from '../db/statement.ts';
import { countColumns, groupsOf, keys } from './facts.ts';
import { counts, durations, entries, events, type Live, stays, touchedLeads } from './live.ts';
import type { Digest } from './pieces.ts';

/** Any number, the same in every process. */
const LOCK = 7_305_822_403;
/**
 * A day is digested when this long has passed since its begin: whatever was written on the day itself, and so not noted as
 * making it stale, is committed by then.
 */
const MIN_AGE = '30 hours';

/**
 * The days (UTC) on which something happened and that have no digest that holds. They are found by leaping along the
 * indexes from each to the next.
 */
const undigestedDays = raw(`
  with recursive days as (
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
  select day::date from days where day > '-infinity'
  except select begins from digests where span = 'day'
  union select day from stale_days`);

/** When what is digested must have begun at the latest. */
const oldEnough = raw(`(statement_timestamp() - interval '${MIN_AGE}') at time zone 'UTC'`);

/** The newest days to digest, at most so many. */
export function findUndigestedDays(db: Db, most: number): Promise<string[]> {
  return findBegins(
    db,
    sql`select day as begins from (${undigestedDays}) undigested where day <= ${oldEnough}
      order by day desc limit ${most}`,
  );
}

/** The newest months to digest, at most so many: those that have digests of all their days. */
export function findUndigestedMonths(db: Db, most: number): Promise<string[]> {
  return findBegins(
    db,
    sql`select begins from (
        select date_trunc('month', begins)::date as begins from digests where span = 'day'
        except select begins from digests where span = 'month'
        except select date_trunc('month', day)::date from (${undigestedDays}) undigested
      ) months where begins + interval '1 month' - interval '1 day' <= ${oldEnough}
      order by begins desc limit ${most}`,
  );
}

async function findBegins(db: Db, query: Condition): Promise<string[]> {
  const rows = await run<{ begins: string }>(db, sql`select begins::text from (${query}) found`);
  return rows.map(({ begins }) => begins);
}

/** True when no other process makes digests now; none will until the transaction ends. */
export async function claimDigests(trx: Db): Promise<boolean> {
  // Before anything is seen: who truncates the leads clears the digests, too, and a month's is not made of leads.
  await run(trx, sql`lock table leads in access share mode`);
  const [row] = await run<{ claimed: boolean }>(
    trx,
    sql`select pg_try_advisory_xact_lock(${LOCK}) as claimed,
      set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`,
  );
  return row?.claimed === true;
}

/** Makes the day's digest anew, of what the transaction sees; whoever changes it meanwhile notes it as stale again. */
export async function digestDay(trx: Db, day: string): Promise<void> {
  await forget(trx, sql`('day', ${day}::date), ('month', date_trunc('month', ${day}::date)::date)`);
  await run(trx, sql`delete from stale_days where day = ${day}::date`);
  await run(trx, insertDay(day));
}

async function forget(trx: Db, digests: Condition): Promise<void> {
  for (const table of ['digests', 'digest_counts', 'digest_seconds']) {
    await run(trx, sql`delete from ${raw(table)} where (span, begins) in (${digests})`);
  }
}

function insertDay(day: string): Condition {
  const begin = Date.parse(day);
  const live: Live = { spans: [{ begin, end: begin + 86_400_000 }], conditions: [] };
  const touched = sql`select * from touched`;
  const cohort = sql`select * from touched where (created_at at time zone 'UTC')::date = ${day}::date`;
  return sql`
    with digest as (insert into digests (span, begins) values ('day', ${day}::date)),
    touched as materialized (${touchedLeads(live)}),
    counted as (
      insert into digest_counts (span, begins, grouping, source, key, ${raw(countColumns.join(', '))})
      select 'day', ${day}::date, grouping, in_source, key, ${counts}
      from (${cohort}) cohort cross join lateral (values
        ('all', source, 'none'), ('content', source, ${keys.content}),
        ('assigned_user', source, ${keys.assigned_user}), ('assigned_user', 'any', ${keys.assigned_user})
      ) packings(grouping, in_source, key)
      group by grouping, in_source, key
    ),
    found as (
      select source, assigned_user_id, null as status, kind, second from (${durations(cohort)}) durations
      union all
      select source, assigned_user_id, null, kind, second from (${stays(live, touched)}) stays
      union all
      select source, assigned_user_id, null, kind, null from (${entries(live, touched)}) entries
      union all
      select source, assigned_user_id, status, kind,
        floor(extract(epoch from happened_at at time zone 'UTC' - ${day}::timestamp))::int
      from (${events(live, touched, touched)}) events
    ),
    -- Only events are told apart by status, and they need no packing without: there are but five.
    parts as materialized (
      select kind, grouping, in_source as source, key, count(*) as total, coalesce(sum(second), 0) as sum,
        array_agg(second) filter (where second is not null) as seconds
      from found cross join lateral (values
        ('all', source, case when status is null then 'none' end), ('status', source, status),
        ('assigned_user', source, ${keys.assigned_user}), ('assigned_user', 'any', ${keys.assigned_user})
      ) packings(grouping, in_source, key)
      where key is not null
      group by kind, grouping, in_source, key
    ),
    ${insertSeconds('day', day)}`;
}

/** Makes the month's digest of those of its days. When something happened, only days tell. */
export async function digestMonth(trx: Db, month: string): Promise<void> {
  const days = sql`span = 'day' and begins >= ${month}::date and begins < ${month}::date + interval '1 month'`;
  const sums = countColumns.map((column) => `sum(${column})`).join(', ');
  const merged = sql`case when kind like 'to\\_%' or kind like 'in\\_%' then seconds || '{}' end`;
  await forget(trx, sql`('month', ${month}::date)`);
  await run(
    trx,
    sql`
    with digest as (insert into digests (span, begins) values ('month', ${month}::date)),
    counted as (
      insert into digest_counts (span, begins, grouping, source, key, ${raw(countColumns.join(', '))})
      select 'month', ${month}::date, grouping, source, key, ${raw(sums)} from digest_counts where ${days}
      group by grouping, source, key
    ),
    parts as materialized (
      select kind, grouping, source, key, upto - after as total, sum, seconds[after + 1 : upto] as seconds
      from (${groupsOf(days, merged)}) groups
    ),
    ${insertSeconds('month', month)}`,
  );
}

/** What ends a statement that has `parts` of groups: kind, grouping, source, key, total, sum, seconds (an array). */
function insertSeconds(span: Digest['of'], begins: string): Condition {
  return sql`groups as materialized (
      select kind, grouping, source, key, sum(total) as total, sum(sum)::bigint as sum,
        dense_rank() over (order by kind, grouping, source) as row,
        row_number() over (order by kind, grouping, source, key) as place
      from parts group by kind, grouping, source, key
    ),
    ended as (
      select row, kind, grouping, source, array_agg(key order by place) as keys,
        array_agg(upto order by place) as ends, array_agg(sum order by place) as sums
      from (select *, sum(total) over (partition by row order by place)::int as upto from groups) groups
      group by row, kind, grouping, source
    ),
    -- By numbers, of which millions are sorted faster than texts.
    sorted as (
      select row, array_agg(second order by place, second) as seconds
      from parts join groups using (kind, grouping, source, key) cross join lateral unnest(seconds) as second
      group by row
    )
    insert into digest_seconds (span, begins, kind, grouping, source, keys, ends, sums, seconds)
    select ${span}, ${begins}::date, kind, grouping, source, keys, ends, sums, coalesce(seconds, '{}')
    from ended left join sorted using (row)`;
}
