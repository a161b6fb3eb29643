/** What is counted: of whole days by their digests, where these can tell, else by the leads themselves. */
import type { Condition } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { cohort, counts, durations, entries, events, type Live, type Span, stays } from './live.ts';
import { quantiles } from './quantiles.ts';

/** What leads are told apart by. */
export type Grouping = 'none' | 'source' | 'status' | 'assigned_user' | 'content';

/** What is asked for: what happened in the span, to the leads that meet the filters. */
export interface Facts {
  span: Span;
  /** The filters, as conditions on leads. */
  conditions: readonly Condition[];
  /** The filters, as far as digests know them; null where there are others. */
  digested: { sources: readonly string[] | undefined; assignee: string | undefined } | null;
  /** The first moments of the days (UTC) whose digests hold, in order. */
  days: readonly number[];
}

/** What a digest tells apart beside the source; `all` is nothing, with the one key `none`. */
type Packing = 'all' | 'assigned_user' | 'content' | 'status';

const DAY_SECONDS = 86_400;
const DAY = DAY_SECONDS * 1000;

/** What the leads of a group have in common, as text; `none` where that is null, or nothing is told apart. */
const keys: Record<Grouping, Condition> = {
  none: sql`'none'`,
  source: sql`source`,
  status: sql`status`,
  assigned_user: sql`coalesce(assigned_user_id::text, 'none')`,
  content: sql`coalesce(content_id::text, 'none')`,
};

export const countColumns = [
  'leads',
  'reached_new',
  'reached_contacted',
  'reached_qualified',
  'reached_won',
  'in_new',
  'in_contacted',
  'in_qualified',
  'in_won',
  'in_lost',
] as const;

/** The leads that were created, by group: key, the columns, and medians, an object of kind and seconds. */
export function leadCounts(facts: Facts, grouping: Grouping, kinds: readonly string[]): Condition {
  const { live, digests } = split(facts, grouping, 'all');
  const columns = countColumns.join(', ');
  const sums = countColumns.map((column) => `sum(${column})::int as ${column}`).join(', ');
  const found = durations(sql`select * from cohort`);
  return sql`
    with cohort as materialized (${cohort(live)}),
    medians as materialized (
      select key, json_object_agg(kind, second) as medians
      from (${quantiles(arrays(found, digests, kinds, grouping), [0.5])}) quantiles group by key
    ),
    counted as (
      select key, ${raw(sums)} from (
        select ${keys[grouping]} as key, ${counts} from cohort group by 1
        union all
        select ${keyIn(grouping)}, ${raw(columns)} from day_counts where ${digests.rows} and ${digests.groups}
      ) parts group by key
    )
    select counted.*, coalesce(medians, '{}') as medians from counted left join medians using (key)`;
}

/** The quantiles of the stays that ended: kind, fraction, second. */
export function stayQuantiles(
  facts: Facts,
  kinds: readonly string[],
  fractions: readonly number[],
): Condition {
  const { live, digests } = split(facts, 'none', 'all');
  return quantiles(arrays(stays(live), digests, kinds, 'none'), fractions);
}

/** Seconds in sorted arrays: kind, key, seconds. */
function arrays(found: Condition, digests: Digests, kinds: readonly string[], grouping: Grouping): Condition {
  return sql`
    select kind, ${keys[grouping]} as key, array_agg(second order by second) as seconds
    from (${found}) found where kind = any(${[...kinds]}) group by 1, 2
    union all
    select kind, ${keyIn(grouping)}, seconds[after + 1 : upto]
    from (${groupsOf(digests, kinds, sql`seconds || '{}'`)}) groups where ${digests.groups}`;
}

/** How many entries into a status and ends of stays there were, and how many seconds these took: kind, total, seconds. */
export function changeCounts(facts: Facts, kinds: readonly string[]): Condition {
  const { live, digests } = split(facts, 'none', 'all');
  return sql`
    select kind, sum(total)::int as total, sum(seconds) as seconds from (
      select kind, count(*) as total, sum(second) as seconds from (${stays(live)}) stays group by 1
      union all
      select kind, count(*), 0 from (${entries(live)}) entries group by 1
      union all
      select kind, upto - after, sum from (${groupsOf(digests, kinds, sql`null`)}) groups where ${digests.groups}
    ) parts group by kind`;
}

const eventKinds = ['created', 'contacted', 'qualified', 'won', 'lost'];

/** What happened in each period, of which `begins` are the first moments: period (from 1), key, kind, total. */
export function eventCounts(facts: Facts, begins: readonly number[], grouping: Grouping): Condition {
  const { live, digests } = split(facts, grouping, 'status');
  const cuts = cutsOf(digests.days, [...begins, facts.span.end]);
  const column = (name: keyof Cut) => cuts.map((cut) => cut[name]);
  const cutDays = cuts.filter(({ low, high }) => high - low < DAY_SECONDS).map(({ day }) => toDay(day));
  const seconds = sql`case when day = any(${cutDays}::date[]) then seconds || '{}' end`;
  return sql`
    select period, key, kind, sum(total)::int as total from (
      select width_bucket(happened_at, ${begins.map(toText)}::timestamptz[]) as period, ${keys[grouping]} as key,
        kind, count(*) as total
      from (${events(live)}) events group by 1, 2, 3
      union all
      select period, ${keyIn(grouping)}, kind,
        case when seconds is null then upto - after
          else width_bucket(high - 1, seconds[after + 1 : upto]) - width_bucket(low - 1, seconds[after + 1 : upto])
        end
      from unnest(${column('day').map(toDay)}::date[], ${column('period')}::int[], ${column('low')}::int[],
        ${column('high')}::int[]) as cuts(day, period, low, high)
      join (${groupsOf(digests, eventKinds, seconds)}) groups using (day)
      where ${digests.groups}
    ) parts group by 1, 2, 3`;
}

/** A part of a day that lies in one period, from its second `low` up to and without `high`. */
interface Cut {
  day: number;
  period: number;
  low: number;
  high: number;
}

/** The days cut at the boundaries of the periods. */
function cutsOf(days: readonly number[], boundaries: readonly number[]): Cut[] {
  return days.flatMap((day) =>
    boundaries.slice(1).flatMap((end, index) => {
      const low = Math.max(0, ((boundaries[index] ?? day) - day) / 1000);
      const high = Math.min(DAY_SECONDS, (end - day) / 1000);
      return low < high ? [{ day, period: index + 1, low, high }] : [];
    }),
  );
}

interface Digests {
  days: readonly number[];
  /** Which rows of a table of digests tell of them. */
  rows: Condition;
  /** Which groups in these rows meet the filters. */
  groups: Condition;
}

/** Which days come from digests, and which spans are left; `otherwise` is what holds leads that are not told apart. */
function split(facts: Facts, grouping: Grouping, otherwise: Packing): { live: Live; digests: Digests } {
  const { span, conditions, digested } = facts;
  const packing = packingOf(facts, grouping, otherwise);
  const fits = (day: number) => packing !== undefined && day >= span.begin && day + DAY <= span.end;
  const days = facts.days.filter(fits);
  const sources = digested?.sources === undefined ? sql`true` : sql`source = any(${[...digested.sources]})`;
  return {
    live: { spans: spansBetween(span, days), conditions },
    digests: {
      days,
      rows: sql`grouping = ${packing ?? null} and day = any(${days.map(toDay)}::date[]) and ${sources}`,
      groups: digested?.assignee === undefined ? sql`true` : sql`key = ${digested.assignee}`,
    },
  };
}

/** Undefined where no packing tells the groups apart and also the leads that meet the filters. */
function packingOf({ digested }: Facts, grouping: Grouping, otherwise: Packing): Packing | undefined {
  if (digested === null) return undefined;
  const needed = new Set<Packing>();
  if (grouping !== 'none' && grouping !== 'source') needed.add(grouping);
  if (digested.assignee !== undefined) needed.add('assigned_user');
  const [packing = otherwise, ...others] = needed;
  return others.length === 0 ? packing : undefined;
}

/** The span without the days. */
function spansBetween({ begin, end }: Span, days: readonly number[]): Span[] {
  const begins = [begin, ...days.map((day) => day + DAY)];
  return begins
    .map((from, index) => ({ begin: from, end: days[index] ?? end }))
    .filter((span) => span.begin < span.end);
}

/** The groups in the digests: day, kind, source, key, sum, and where in its seconds they are. */
function groupsOf({ rows }: Digests, kinds: readonly string[], seconds: Condition): Condition {
  // OFFSET 0 keeps the planner from merging the two levels, which would read the array anew for each of its groups.
  return sql`
    select day, kind, source, key, sum, coalesce(ends[place - 1], 0) as after, upto, seconds
    from (
      select day, kind, source, keys, ends, sums, ${seconds} as seconds from day_seconds
      where ${rows} and kind = any(${[...kinds]}) offset 0
    ) digest cross join lateral unnest(keys, ends, sums) with ordinality as groups(key, upto, sum, place)`;
}

function keyIn(grouping: Grouping): Condition {
  return grouping === 'none' || grouping === 'source' ? keys[grouping] : sql`key`;
}

function toText(moment: number): string {
  return new Date(moment).toISOString();
}

function toDay(moment: number): string {
  return toText(moment).slice(0, 10);
}
