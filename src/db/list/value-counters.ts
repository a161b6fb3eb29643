import type { Knex } from 'knex';
import { knex, sql } from '../query.ts';
import { applyAll, type Condition, type ValueTest } from './condition.ts';
import type { ListSource } from './page.ts';

/** Of the columns with the values of indexed keys. */
const PREFIX = 'indexed_';

const SUM = sql`coalesce(sum(total), 0)::int`;

/**
 * `total`: the number of rows by their value of an indexed key, from the counters of the kind `metadata`. Undefined if these
 * can't answer, because the conditions are about more than the values and the columns of the counters.
 */
export function totalByValue(
  { table, counters }: ListSource,
  conditions: readonly Condition[],
): Knex.QueryBuilder | undefined {
  const [column, ...others] = new Set(conditions.flatMap(({ ofValue }) => ofValue?.column ?? []));
  if (counters === undefined || !column?.startsWith(PREFIX) || others.length > 0) return undefined;
  const equalities = conditions.filter(({ ofValue }) => ofValue === undefined);
  if (!equalities.every(({ filter }) => filter?.values && counters.columns.includes(filter.column))) {
    return undefined;
  }
  const counts = [counters.table, counters.changes].map((from) =>
    knex(from)
      .select(sql`reached::jsonb as value`, 'total')
      .whereRaw(`kind = 'metadata' and key = '${column.slice(PREFIX.length)}'`)
      .modify(applyAll, equalities),
  );
  const known = knex.withMaterialized('known', knex.unionAll(counts));
  const wanted = (is: ValueTest['is']) => conditions.find(({ ofValue }) => ofValue?.is === is)?.values[0];
  const [from, to, one, some] = [wanted('from'), wanted('to'), wanted('one'), wanted('some')];
  if (from !== undefined || to !== undefined) {
    const rows = knex(table).select(sql`count(*)::int`).modify(applyAll, conditions);
    return inRange(known, { column, from, to }, rows);
  }
  const total = known.from('known').select(sql`${SUM} as total`);
  if (one !== undefined) total.where(sql`value = ${one}::jsonb`);
  if (some !== undefined) total.where(sql`value = any(${some}::jsonb[])`);
  return total;
}

interface Range {
  column: string;
  from: unknown;
  to: unknown;
}

/** Adds the counters inside the range and the rows at its ends, whose counters include values outside. */
function inRange(
  known: Knex.QueryBuilder,
  { column, from, to }: Range,
  rows: Knex.QueryBuilder,
): Knex.QueryBuilder {
  const value = knex.ref(column);
  const [first, last] = [from, to].map((bound) => sql`metadata_bucket(${bound}::jsonb)`);
  const inside = knex('known').select('value', 'total');
  if (from !== undefined) inside.where(sql`value > ${first}`);
  if (to !== undefined) inside.where(sql`value < ${last}`);
  // Greater than all numbers and dates.
  const next = sql`coalesce((select value from inside order by value limit 1), ${to === undefined ? sql`'true'` : last})`;
  const atStart = from === undefined ? sql`0` : rows.clone().where(sql`${value} < ${next}`);
  const atEnd = to === undefined ? sql`0` : rows.clone().where(sql`${value} >= ${last}`);
  return known
    .withMaterialized('inside', inside)
    .select(sql`(select ${SUM} from inside) + (${atStart}) + (${atEnd}) as total`);
}
