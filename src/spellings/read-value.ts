import { decimalsOf } from '../values/money.ts';
import { isSymbolOf, readCurrency } from './currency.ts';
import type { Draft, GivenText } from './draft.ts';
import { readGivenAmount } from './given-amount.ts';

const MAX_DIGITS = 15;

/** Reads `value`, from a column for both or from two. A currency alone, such as a default, gives none. */
export function readValue(draft: Draft): void {
  const [first] = draft.textsOf('value.currency');
  const named = first === undefined ? undefined : readCurrency(first.text, draft.options.locale);
  const amounts = [...draft.textsOf('value.amount'), ...draft.textsOf('value')];
  if (first !== undefined && named === undefined && amounts.length > 0) {
    draft.warn('value.currency', 'This is not a currency of ISO 4217, such as EUR.', first.text);
  }
  for (const given of amounts) {
    const reading = readGivenAmount(given, draft.options.locale, named ?? given.currency);
    const { value: amount, warning } = reading;
    if (warning !== undefined) draft.warn('value.amount', warning, given.text);
    if (amount === undefined) continue;
    const currency = currencyOf(draft, given, reading, named);
    if (currency !== undefined) setValue(draft, amount, currency, given.text);
    return;
  }
}

/** Of the amount, of the field, or of the column. They must not contradict each other, but `$` is the sign of many currencies. */
function currencyOf(
  draft: Draft,
  given: GivenText,
  { currency: beside, mark = '' }: { currency?: string; mark?: string },
  named: string | undefined,
): string | undefined {
  if (named === undefined || beside === undefined) {
    const found = beside ?? named ?? given.currency;
    if (found === undefined && draft.textsOf('value.currency').length === 0) {
      draft.warn('value.amount', 'The amount has no currency.', given.text);
    }
    return found;
  }
  if (named === beside || isSymbolOf(named, mark)) return named;
  draft.warn('value.amount', `The amount is in ${beside}, but the currency is ${named}.`, given.text);
  return undefined;
}

function setValue(draft: Draft, amount: string, currency: string, text: string): void {
  const decimals = decimalsOf(currency) ?? 0;
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.replace(/(?<!0)0+$/, '');
  if (kept.length > decimals) {
    draft.warn('value.amount', `An amount in ${currency} has at most ${decimals} decimals.`, text);
  } else if (whole.length > MAX_DIGITS) {
    draft.warn('value.amount', `An amount has at most ${MAX_DIGITS} digits before the point.`, text);
  } else {
    const shown = fraction.slice(0, decimals);
    draft.body.set('value', { amount: shown === '' ? whole : `${whole}.${shown}`, currency });
  }
}
