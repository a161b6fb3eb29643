/** Adds up amounts in hundredths, because all currencies in these tests have two decimals. */
import { expect } from 'vitest';
import type { components } from '../../generated/api.ts';

type Lead = components['schemas']['Lead'];
type Cycle = components['schemas']['SalesCycle'];
type Valued = Pick<Lead, 'value'>;

export function hundredths(leads: readonly Valued[]): bigint {
  return leads.reduce((sum, { value }) => sum + BigInt(value?.amount.replace('.', '') ?? 0), 0n);
}

export function amount(minor: bigint): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The quotient, rounded half up. */
export function divided(dividend: bigint, divisor: bigint): bigint {
  const [whole, rest] = [dividend / divisor, dividend % divisor];
  return rest * 2n >= divisor ? whole + 1n : whole;
}

/** The currencies of the leads in order; null, for no value, is the last. */
export function currenciesOf(leads: readonly Valued[]): (string | null)[] {
  return [...new Set(leads.flatMap(({ value }) => value?.currency ?? [])).values(), null].sort((a, b) =>
    a === null ? 1 : b === null ? -1 : a.localeCompare(b),
  );
}

export function inCurrency<Row extends Valued>(leads: readonly Row[], currency: string | null): Row[] {
  return leads.filter(({ value }) => (value?.currency ?? null) === currency);
}

/** A row's `value`: what the closed sales cycles were worth. */
export function closedWorth(cycles: readonly Cycle[]) {
  const of = (status: string, currency: string | null) =>
    inCurrency(cycles, currency).filter((cycle) => cycle.status === status);
  const sumOf = (own: readonly Cycle[]) => ({
    sales_cycles: own.length,
    amount: amount(hundredths(own)),
    sales_cycles_url: expect.any(String),
  });
  return currenciesOf(cycles)
    .filter((currency) => currency !== null)
    .map((currency) => ({ currency, won: sumOf(of('won', currency)), lost: sumOf(of('lost', currency)) }));
}

/** A row's `open_value`: what the open ones among these leads are worth. */
export function openWorth(leads: readonly Lead[]) {
  const open = leads.filter(({ status }) => status !== 'won' && status !== 'lost');
  return currenciesOf(open)
    .filter((currency) => currency !== null)
    .map((currency) => {
      const own = inCurrency(open, currency);
      return { currency, leads: own.length, amount: amount(hundredths(own)), leads_url: expect.any(String) };
    });
}
