/** Amounts of money in reports. */
import { decimalsOf, divide, MAX_DECIMALS, toAmount, toMinor } from '../values/money.ts';
import type { Sum } from './sum-queries.ts';

/** The currencies of the sums, in alphabetical order. */
export function currenciesOf(sums: readonly Pick<Sum, 'currency'>[]): string[] {
  return [...new Set(sums.map(({ currency }) => currency))].filter((currency) => currency !== 'none').sort();
}

export function countOf(sums: readonly Pick<Sum, 'leads'>[]): number {
  return sums.reduce((total, { leads }) => total + leads, 0);
}

/** The total, with the currency's decimals. */
export function valueIn(currency: string, sums: readonly Pick<Sum, 'amount'>[]): string {
  return toAmount(minorOf(currency, sums), decimalsIn(currency));
}

/** Rounded half up; null without leads. */
export function averageIn(currency: string, sums: readonly Sum[]): string | null {
  const leads = countOf(sums);
  return leads === 0 ? null : toAmount(divide(minorOf(currency, sums), BigInt(leads)), decimalsIn(currency));
}

/** How many of the decided leads that had a status were won. */
export interface Odds {
  status: Sum['status'];
  won: number;
  decided: number;
}

/** The total, weighted by each status's odds and rounded half up once. Null if the odds of a lead's status are unknown. */
export function weightedIn(currency: string, sums: readonly Sum[], odds: readonly Odds[]): string | null {
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
function minorOf(currency: string, sums: readonly Pick<Sum, 'amount'>[]): bigint {
  return sums.reduce((sum, { amount }) => sum + toMinor(amount, decimalsIn(currency)), 0n);
}

/** A stored currency may have been removed from ISO 4217. */
function decimalsIn(currency: string): number {
  return decimalsOf(currency) ?? MAX_DECIMALS;
}
