/** Sums of values, from the counters or from rows. */
import type { Knex } from 'knex';
import { knex, sql } from '../db/query.ts';

/** The counters, and the changes that are not folded yet. */
export function recorded(kind: 'open' | 'closed'): Knex.QueryBuilder[] {
  return ['lead_counters', 'lead_counter_changes'].map((table) =>
    knex(table)
      .select('status', 'key as currency', 'period')
      .select(kind === 'closed' ? ['reached'] : [])
      .select('total', 'amount')
      .where('kind', kind),
  );
}

/** Adds up rows with a `currency`, a `total` and an `amount`, by the currency and these keys. */
export function sumOf(parts: Knex.QueryBuilder[], keys: (string | Knex.Raw)[]): Knex.QueryBuilder {
  return knex
    .select(...keys, sql`nullif(currency, 'none') as currency`)
    .select(sql`sum(total)::int as total`, sql`sum(amount)::text as amount`)
    .from(knex.unionAll(parts).as('part'))
    .groupByRaw([...keys, 'currency'].map((_, index) => index + 1).join())
    .having(sql`sum(total) <> 0`);
}
