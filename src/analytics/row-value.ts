/** The `value` of a report's row. */

import { openStatuses } from '../leads/tables.ts';
import type { Schema } from '../operation.ts';
import { countOf, currenciesOf, valueIn } from './money.ts';
import type { GroupSum } from './value-queries.ts';

type Parameters = Record<string, string>;

/** The URL of the list with these filters besides those of the row. */
type UrlOf = (parameters: Parameters) => string;

/** What the leads of a row are worth, by currency. `urlOf` gives the list of those that are won, or open. */
export function toRowValue(
  sums: readonly GroupSum[],
  urlOf: Record<GroupSum['outcome'], UrlOf>,
): Schema<'RowValue'>[] {
  return currenciesOf(sums).map((currency) => {
    const own = sums.filter((sum) => sum.currency === currency);
    const total = (outcome: GroupSum['outcome']) => {
      const some = own.filter((sum) => sum.outcome === outcome);
      return {
        leads: countOf(some),
        amount: valueIn(currency, some),
        leads_url: urlOf[outcome]({ status: statusesOf[outcome], currency }),
      };
    };
    return { currency, won: total('won'), open: total('open') };
  });
}

const statusesOf = { won: 'won', open: openStatuses.join() };

/** The same where one list has the leads of either kind. */
export function toCohortValue(sums: readonly GroupSum[] = [], urlOf: UrlOf): Schema<'RowValue'>[] {
  return toRowValue(sums, { won: urlOf, open: urlOf });
}
