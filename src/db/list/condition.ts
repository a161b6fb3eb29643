import type { Knex } from 'knex';
import type { Bind } from '../query.ts';

/** A filter on one column that counters can answer. Bounds are milliseconds since the epoch, both inclusive. */
interface CountableFilter {
  column: string;
  values?: readonly (string | null)[];
  from?: number;
  to?: number;
}

/** What a condition with one value, or none, asks of a column. */
export interface ValueTest {
  column: string;
  is: 'present' | 'one' | 'some' | 'from' | 'to';
}

/** A condition of a WHERE clause. Its SQL is the same for all values, so that a query with it is compiled once. */
export interface Condition {
  /** Identifies what `apply` does. Must not contain a value from a client. */
  shape: string;
  values: readonly unknown[];
  apply(rows: Knex.QueryBuilder, values: readonly unknown[]): unknown;
  /** Whether one plan suits all values, so that a query with it is planned once. */
  isPlannedOnce?: boolean;
  /** Whether its index returns rows unsorted (GIN, or an index in another order, such as that of the column of `ofValue`). */
  usesGin?: boolean;
  /** The opposite condition, with the same values or none, if an index has its rows. */
  complement?: Condition;
  /** The equivalent filter that counters can answer, if any. */
  filter?: CountableFilter;
  /** What it asks of one column that may have an index of its own, and counters of its values. */
  ofValue?: ValueTest;
}

/** Whether an index finds rows in another order than that of this column. */
export function isUnordered(conditions: readonly Condition[], column: string): boolean {
  return conditions.some(({ usesGin, ofValue }) => usesGin === true && ofValue?.column !== column);
}

export function applyAll(rows: Knex.QueryBuilder, conditions: readonly Condition[]): void {
  for (const { apply, values } of conditions) apply(rows, values);
}

/** A condition in SQL with a `?` for each value. The SQL is its shape. */
export function condition(sql: string, ...values: readonly unknown[]): Condition {
  return {
    shape: sql,
    values,
    apply: (rows, bound) => rows.whereRaw(sql, bound as Knex.RawBinding[]),
  };
}

/** The same conditions, with placeholders for their values. */
export function bindConditions(
  conditions: readonly Condition[],
  bind: Bind<readonly Condition[]>,
): Condition[] {
  return conditions.map((condition, index) => {
    const values = condition.values.map((_value, at) => bind((given) => given[index]?.values[at]));
    const { complement } = condition;
    if (complement === undefined) return { ...condition, values };
    return {
      ...condition,
      values,
      complement: { ...complement, values: complement.values.length > 0 ? values : [] },
    };
  });
}

/** The same conditions with other values, in the same order. */
export function withValues(conditions: readonly Condition[], values: readonly unknown[]): Condition[] {
  const rest = [...values];
  return conditions.map((one) => ({ ...one, values: rest.splice(0, one.values.length) }));
}
