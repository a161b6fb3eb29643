import type { Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { decimalsOf, toAmount, toMinor } from '../values/money.ts';
import type { LeadRow } from './tables.ts';

type ValueColumns = Pick<LeadRow, 'value_amount' | 'value_currency'>;

/** A lead's `value`, from its columns. */
export function toValue({
  value_amount: amount,
  value_currency: currency,
}: ValueColumns): Schema<'Lead'>['value'] {
  return amount === null || currency === null ? null : { amount, currency };
}

/**
 * The columns after a merge patch of `value` (RFC 7396), with exactly the currency's decimals. Null clears it, undefined
 * leaves it unchanged. Throws 422 for a value without amount or currency, an unknown currency, or too many decimals.
 */
export function valueColumns(
  patch: Schema<'UpdateLeadValue'> | undefined,
  before: ValueColumns = { value_amount: null, value_currency: null },
): Partial<ValueColumns> {
  if (patch === undefined) return {};
  if (patch === null) return { value_amount: null, value_currency: null };
  const { amount, currency } = { ...toValue(before), ...patch };
  if (amount === undefined) throw invalidField('value.amount', 'is required');
  if (currency === undefined) throw invalidField('value.currency', 'is required');
  const decimals = decimalsOf(currency);
  if (decimals === undefined) {
    throw invalidField('value.currency', 'must be the ISO 4217 code of a currency in use, such as EUR');
  }
  const given = amount.split('.')[1]?.length ?? 0;
  if (given > decimals) {
    throw invalidField(
      'value.amount',
      `must have ${decimals === 0 ? 'no' : `at most ${decimals}`} decimals in ${currency}, not ${given}`,
    );
  }
  return { value_amount: toAmount(toMinor(amount, decimals), decimals), value_currency: currency };
}
