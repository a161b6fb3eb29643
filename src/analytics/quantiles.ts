import type { Condition } from '../db/list.ts';
import { sql } from '../db/sql.ts';

/**
 * The quantiles of numbers that come in sorted arrays, by kind and key: kind, key, fraction, second. They are exact, as
 * those of percentile_cont, without sorting all numbers: each array tells every n-th of its own, which is enough to know
 * between which two of these the quantile lies, and only the numbers there are sorted. n is such that both are few.
 */
export function quantiles(arrays: Condition, fractions: readonly number[]): Condition {
  return sql`
    -- Kinds and keys are only compared for being the same, which bytes can do.
    with arrays as materialized (
      select kind collate "C" as kind, key collate "C" as key, seconds from (${arrays}) unsorted
    ),
    -- Numbers for the pairs of kind and key, since these are sorted by many times.
    groups as materialized (
      select (row_number() over ())::int as id, kind, key, sum(cardinality(seconds))::int as total,
        count(*)::int as arrays, greatest(1, sqrt(sum(cardinality(seconds)) / count(*)))::int as stride
      from arrays group by kind, key
    ),
    -- At least so many numbers are not above the value; at most (stride - 1) more from each array.
    samples as (
      select id, value, sum(stride) over (partition by id order by value) as at_least
      from arrays join groups using (kind, key)
      cross join lateral generate_series(stride, cardinality(seconds), stride) as position
      cross join lateral (select seconds[position] as value) sample
    ),
    targets as (
      select id, fraction, total, arrays * (stride - 1) as unsampled, floor(1 + fraction * (total - 1))::int as lower
      from groups cross join unnest(${[...fractions]}::numeric[]) as fraction
    ),
    bounds as (
      select id, fraction, lower,
        coalesce(max(value) filter (where at_least + unsampled < lower), -1) as low,
        coalesce(min(value) filter (where at_least > lower), 2147483647) as high
      from targets left join samples using (id)
      group by id, fraction, lower
    ),
    slices as materialized (
      select id, fraction, lower, seconds,
        width_bucket(low, seconds) as below, width_bucket(high, seconds) as upto
      from arrays join groups using (kind, key) join bounds using (id)
    ),
    near as (
      select id, fraction, lower, value, row_number() over (partition by id, fraction order by value) as position
      from slices cross join lateral unnest(seconds[below + 1 : upto]) as value
    ),
    below as (
      select id, fraction, sum(below) as below from slices group by id, fraction
    )
    select kind, key, fraction::float8,
      round(min(value) + (1 + fraction * (total - 1) - lower) * (max(value) - min(value)))::int as second
    from near join below using (id, fraction) join groups using (id)
    where position in (lower - below, lower - below + 1)
    group by kind, key, fraction, total, lower`;
}
