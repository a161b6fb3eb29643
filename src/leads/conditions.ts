import type { Condition } from '../db/list/condition.ts';
import { conditionsOf } from '../db/list/filters.ts';
import type { Schema } from '../operation.ts';
import { invalidParameter } from '../problem.ts';
import { MAX_DECIMALS, toMinor } from '../values/money.ts';
import { leadFilters } from './queries.ts';

type Query = Schema<'LeadFilter'> & { sort?: Schema<'LeadOrder'> };

/** The conditions of a list of leads. Throws 400 for filters that can't be combined. */
export function conditionsOfLeads(query: Query): Condition[] {
  for (const name of ['reached_from', 'reached_to'] as const) {
    if (query[name] !== undefined && query.reached === undefined) {
      throw invalidParameter(name, 'can only be sent together with reached');
    }
  }
  checkAmounts(query);
  return conditionsOf(leadFilters, query);
}

/** Amounts can only be compared within one currency. */
function checkAmounts({ currency = 'none', sort, ...query }: Query): void {
  if (/^-?value$/.test(sort ?? '') && currency === 'none') {
    const message =
      'can only be value together with a currency, such as currency=EUR: amounts in different currencies have no order';
    throw invalidParameter('sort', message);
  }
  for (const name of ['value_from', 'value_to'] as const) {
    if (query[name] !== undefined && currency === 'none') {
      throw invalidParameter(name, 'can only be sent together with a currency, such as currency=EUR');
    }
  }
  const [from, to] = [query.value_from, query.value_to].map(
    (amount) => amount && toMinor(amount, MAX_DECIMALS),
  );
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidParameter('value_from', 'must not be more than value_to');
  }
}
