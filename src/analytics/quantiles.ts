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
    totals as (
      select kind, key, sum(cardinality(seconds))::int as total, count(*)::int as arrays,
        greatest(1, sqrt(sum(cardinality(seconds)) / count(*)))::int as stride
      from arrays group by kind, key
    ),
    -- At least so many numbers are not above the value; at most (stride - 1) more from each array.
    samples as (
      select kind, key, value, stride * sum(count(*)) over (partition by kind, key order by value) as at_least
      from arrays join totals using (kind, key)
      cross join lateral generate_series(stride, cardinality(seconds), stride) as position
      cross join lateral (select seconds[position] as value) sample
      group by kind, key, stride, value
    ),
    targets as (
      select *, 1 + fraction * (total - 1) as rank, floor(1 + fraction * (total - 1)) as lower
      from totals cross join unnest(${[...fractions]}::numeric[]) as fraction
    ),
    bounds as (
      select kind, key, fraction, rank, lower,
        coalesce(max(value) filter (where at_least + arrays * (stride - 1) < lower), -1) as low,
        coalesce(min(value) filter (where at_least > lower), 2147483647) as high
      from targets left join samples using (kind, key)
      group by kind, key, fraction, rank, lower
    ),
    slices as materialized (
      select kind, key, fraction, rank, lower, seconds,
        width_bucket(low, seconds) as below, width_bucket(high, seconds) as upto
      from arrays join bounds using (kind, key)
    ),
    near as (
      select kind, key, fraction, rank, lower, value,
        row_number() over (partition by kind, key, fraction order by value) as position
      from slices cross join lateral unnest(seconds[below + 1 : upto]) as value
    ),
    below as (
      select kind, key, fraction, sum(below) as below from slices group by kind, key, fraction
    )
    select kind, key, fraction::float8,
      round(min(value) + (rank - lower) * (max(value) - min(value)))::int as second
    from near join below using (kind, key, fraction)
    where position in (lower - below, lower - below + 1)
    group by kind, key, fraction, rank, lower`;
}
