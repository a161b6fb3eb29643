/** Adds up amounts of leads in hundredths, because all currencies in these tests have two decimals. */
import { expect } from 'vitest';
import type { components } from '../../generated/api.ts';

type Lead = components['schemas']['Lead'];

export function hundredths(leads: readonly Lead[]): bigint {
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
export function currenciesOf(leads: readonly Lead[]): (string | null)[] {
  return [...new Set(leads.flatMap(({ value }) => value?.currency ?? [])).values(), null].sort((a, b) =>
    a === null ? 1 : b === null ? -1 : a.localeCompare(b),
  );
}

export function inCurrency(leads: readonly Lead[], currency: string | null): Lead[] {
  return leads.filter(({ value }) => (value?.currency ?? null) === currency);
}

/** A row's `value`: what the leads that were won, and the open ones, are worth. By default, by their current status. */
export function worthOf(
  leads: readonly Lead[],
  {
    won = leads.filter(({ status }) => status === 'won'),
    open = leads.filter(({ status }) => status !== 'won' && status !== 'lost'),
  } = {},
) {
  return currenciesOf([...won, ...open])
    .filter((currency) => currency !== null)
    .map((currency) => ({
      currency,
      won: sumOf(inCurrency(won, currency)),
      open: sumOf(inCurrency(open, currency)),
    }));
}

function sumOf(leads: readonly Lead[]) {
  return { leads: leads.length, amount: amount(hundredths(leads)), leads_url: expect.any(String) };
}
