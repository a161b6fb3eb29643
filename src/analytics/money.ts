/** Amounts of money in reports. */
import { type LeadStatus, openStatuses } from '../leads/tables.ts';
import type { Schema } from '../operation.ts';
import { decimalsOf, divide, MAX_DECIMALS, toAmount, toMinor } from '../values/money.ts';

/** How many have a value in one currency, and their exact sum. */
export interface Sum {
  /** Null for those without a value. */
  currency: string | null;
  total: number;
  amount: string | null;
}

/** The currencies of the sums, in alphabetical order. */
export function currenciesOf(sums: readonly Sum[]): string[] {
  return [...new Set(sums.flatMap(({ currency }) => currency ?? []))].sort();
}

export function countOf(sums: readonly Sum[]): number {
  return sums.reduce((count, { total }) => count + total, 0);
}

/** The total, with the currency's decimals. */
export function valueIn(currency: string, sums: readonly Sum[]): string {
  return toAmount(minorOf(currency, sums), decimalsIn(currency));
}

/** Rounded half up; null without rows. */
export function averageIn(currency: string, sums: readonly Sum[]): string | null {
  const count = countOf(sums);
  return count === 0 ? null : toAmount(divide(minorOf(currency, sums), BigInt(count)), decimalsIn(currency));
}

/** The URL of the list with these filters besides those of the row. */
type UrlOf = (parameters: Record<string, string>) => string;

/** What the won and the lost sales cycles of a row were worth, by currency. */
export function closedValue(
  { won, lost }: Record<'won' | 'lost', readonly Sum[]>,
  urlOf: UrlOf,
): Schema<'ClosedValue'>[] {
  return currenciesOf([...won, ...lost]).map((currency) => {
    const sumIn = (status: string, sums: readonly Sum[]) => {
      const own = sums.filter((sum) => sum.currency === currency);
      return {
        sales_cycles: countOf(own),
        amount: valueIn(currency, own),
        sales_cycles_url: urlOf({ status, currency }),
      };
    };
    return { currency, won: sumIn('won', won), lost: sumIn('lost', lost) };
  });
}

/** What the open leads of a row are worth, by currency. */
export function openValue(sums: readonly Sum[], urlOf: UrlOf): Schema<'OpenValue'>[] {
  return currenciesOf(sums).map((currency) => {
    const own = sums.filter((sum) => sum.currency === currency);
    return {
      currency,
      leads: countOf(own),
      amount: valueIn(currency, own),
      leads_url: urlOf({ status: openStatuses.join(), currency }),
    };
  });
}

/** How many of the closed sales cycles that had a status were won. */
export interface Odds {
  status: LeadStatus;
  won: number;
  decided: number;
}

/** The total, weighted by each status's odds and rounded half up once. Null if the odds of a lead's status are unknown. */
export function weightedIn(
  currency: string,
  sums: readonly (Sum & { status: LeadStatus })[],
  odds: readonly Odds[],
): string | null {
  let [dividend, divisor] = [0n, 1n];
  for (const { status, won, decided } of odds) {
    const own = sums.filter((sum) => sum.status === status);
    if (own.length === 0) continue;
    if (decided === 0) return null;
    dividend = dividend * BigInt(decided) + minorOf(currency, own) * BigInt(won) * divisor;
    divisor *= BigInt(decided);
  }
  return toAmount(divide(dividend, divisor), decimalsIn(currency));
}

/** The total in the currency's smallest unit. */
function minorOf(currency: string, sums: readonly Sum[]): bigint {
  return sums.reduce((sum, { amount }) => sum + toMinor(amount ?? '0', decimalsIn(currency)), 0n);
}

/** A stored currency may have been removed from ISO 4217. */
function decimalsIn(currency: string): number {
  return decimalsOf(currency) ?? MAX_DECIMALS;
}
