/** What is counted: of whole days and months by their digests, where these can tell, else by the leads themselves. */
import type { Condition } from '../db/list.ts';
import { raw, sql } from '../db/sql.ts';
import { cohort, counts, durations, entries, events, type Live, type Span, stays } from './live.ts';
import { choose, cutsOf, type Digest, isCut, spansBetween, toDay } from './pieces.ts';
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
  /** The digests that hold. */
  digests: readonly Digest[];
}

/** What a digest tells apart beside the source; `all` is nothing, with the one key `none`. */
type Packing = 'all' | 'assigned_user' | 'content' | 'status';

/** What the leads of a group have in common, as text; `none` where that is null, or nothing is told apart. */
export const keys: Record<Grouping, Condition> = {
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
        select ${keyIn(grouping)}, ${raw(columns)} from digest_counts where ${digests.rows} and ${digests.groups}
      ) parts group by key
    )
    select counted.*, coalesce(medians, '{}') as medians from counted left join medians using (key)`;
}

/** Seconds in sorted arrays: kind, key, seconds. */
function arrays(found: Condition, digests: Digests, kinds: readonly string[], grouping: Grouping): Condition {
  return sql`
    select kind, ${keys[grouping]} as key, array_agg(second order by second) as seconds
    from (${found}) found where kind = any(${[...kinds]}) group by 1, 2
    union all
    select kind, ${keyIn(grouping)}, seconds[after + 1 : upto]
    from (${groupsOf(ofKinds(digests, kinds), sql`seconds || '{}'`)}) groups where ${digests.groups}`;
}

/**
 * How many stays in a status ended (`in_new`), how many seconds they took, and the quantiles of these, an object of
 * fraction and seconds; and how many entries into it there were (`entered_new`): kind, total, seconds, quantiles.
 */
export function stayCounts(
  facts: Facts,
  statuses: readonly string[],
  fractions: readonly number[],
): Condition {
  const { live, digests } = split(facts, 'none', 'all');
  const kinds = statuses.map((status) => `in_${status}`);
  const found = arrays(sql`select * from stays`, digests, kinds, 'none');
  const counted = [...kinds, ...statuses.map((status) => `entered_${status}`)];
  const digested = groupsOf(ofKinds(digests, counted), sql`null`);
  return sql`
    with stays as materialized (${stays(live)}),
    quantiles as materialized (
      select kind, json_object_agg(fraction, second) as quantiles
      from (${quantiles(found, fractions)}) quantiles group by kind
    ),
    counted as (
      select kind, sum(total)::int as total, sum(seconds)::float8 as seconds from (
        select kind, count(*) as total, sum(second) as seconds from stays group by 1
        union all
        select kind, count(*), 0 from (${entries(live)}) entries group by 1
        union all
        select kind, upto - after, sum from (${digested}) groups where ${digests.groups}
      ) parts group by kind
    )
    select counted.*, coalesce(quantiles, '{}') as quantiles from counted left join quantiles using (kind)`;
}

const eventKinds = ['created', 'contacted', 'qualified', 'won', 'lost'];

/** What happened in each period, of which `begins` are the first moments: period (from 1), key, kind, total. */
export function eventCounts(facts: Facts, begins: readonly number[], grouping: Grouping): Condition {
  const boundaries = [...begins, facts.span.end];
  const { live, digests } = split(facts, grouping, 'status', boundaries);
  const cuts = cutsOf(digests.chosen, boundaries);
  const column = (name: 'period' | 'low' | 'high') => cuts.map((cut) => cut[name]);
  const cutDays = cuts.filter(isCut).map(({ digest }) => toDay(digest));
  const seconds = sql`case when begins = any(${cutDays}::date[]) then seconds || '{}' end`;
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
      from unnest(${cuts.map(({ digest }) => toDay(digest))}::date[], ${column('period')}::int[],
        ${column('low')}::int[], ${column('high')}::int[]) as cuts(begins, period, low, high)
      join (${groupsOf(ofKinds(digests, eventKinds), seconds)}) groups using (begins)
      where ${digests.groups}
    ) parts group by 1, 2, 3`;
}

interface Digests {
  chosen: readonly Digest[];
  /** Which rows of a table of digests tell of them. */
  rows: Condition;
  /** Which groups in these rows meet the filters. */
  groups: Condition;
}

/**
 * What comes from digests, and which spans are left; `otherwise` is what holds leads that are not told apart. No month is
 * chosen that one of the boundaries cuts.
 */
function split(
  facts: Facts,
  grouping: Grouping,
  otherwise: Packing,
  boundaries: readonly number[] = [facts.span.begin, facts.span.end],
): { live: Live; digests: Digests } {
  const { span, conditions, digested } = facts;
  const packing = packingOf(facts, grouping, otherwise);
  const chosen = packing === undefined ? [] : choose(facts.digests, span, boundaries);
  const begins = (of: Digest['of']) => chosen.filter((digest) => digest.of === of).map(toDay);
  return {
    live: { spans: spansBetween(span, chosen), conditions },
    digests: {
      chosen,
      rows: sql`grouping = ${packing ?? null} and ${sourcesIn(facts, grouping, packing)} and (
        span = 'day' and begins = any(${begins('day')}::date[])
        or span = 'month' and begins = any(${begins('month')}::date[])
      )`,
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

/** The leads of an assignee are also counted whatever their source, since assignees are many. */
function sourcesIn({ digested }: Facts, grouping: Grouping, packing: Packing | undefined): Condition {
  if (digested?.sources !== undefined) return sql`source = any(${[...digested.sources]})`;
  if (packing !== 'assigned_user') return sql`true`;
  return grouping === 'source' ? sql`source <> 'any'` : sql`source = 'any'`;
}

/**
 * The groups in those rows of digest_seconds: begins, kind, grouping, source, key, sum, and where in its seconds they are,
 * of which `seconds` says what to read.
 */
export function groupsOf(rows: Condition, seconds: Condition): Condition {
  // OFFSET 0 keeps the planner from merging the two levels, which would read the array anew for each of its groups.
  return sql`
    select begins, kind, grouping, source, key, sum, coalesce(ends[place - 1], 0) as after, upto, seconds
    from (
      select begins, kind, grouping, source, keys, ends, sums, ${seconds} as seconds from digest_seconds
      where ${rows} offset 0
    ) digest cross join lateral unnest(keys, ends, sums) with ordinality as groups(key, upto, sum, place)`;
}

function ofKinds({ rows }: Digests, kinds: readonly string[]): Condition {
  return sql`${rows} and kind = any(${[...kinds]})`;
}

function keyIn(grouping: Grouping): Condition {
  return grouping === 'none' || grouping === 'source' ? keys[grouping] : sql`key`;
}

function toText(moment: number): string {
  return new Date(moment).toISOString();
}
