import { decimalsOf } from '../values/money.ts';
import { readAmount } from './amount.ts';
import { readCurrency } from './currency.ts';
import type { Draft, GivenText } from './draft.ts';

const MAX_DIGITS = 15;

/** Reads `value`, from a column for both or from two. A currency alone, such as a default, gives none. */
export function readValue(draft: Draft): void {
  const amounts = [...draft.textsOf('value.amount'), ...draft.textsOf('value').map(asAmount)];
  for (const given of amounts) {
    const {
      value: amount,
      currency: beside,
      warning,
    } = readAmount(given.text, draft.options.locale, given.amountStyle);
    if (warning !== undefined) draft.warn('value.amount', warning, given.text);
    if (amount === undefined) continue;
    const currency = currencyOf(draft, given, beside);
    if (currency !== undefined) setValue(draft, amount, currency, given.text);
    return;
  }
}

/** A JSON object gives its amount, and any other text is one. */
function asAmount(given: GivenText): GivenText {
  const { amount, currency } = Object(fromJson(given.text));
  return amount === undefined ? given : { ...given, text: `${amount} ${currency ?? ''}`.trim() };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function currencyOf(draft: Draft, given: GivenText, beside: string | undefined): string | undefined {
  const [first] = draft.textsOf('value.currency');
  const named = first === undefined ? undefined : readCurrency(first.text, draft.options.locale);
  if (first !== undefined && named === undefined) {
    draft.warn('value.currency', 'This is not a currency of ISO 4217, such as EUR.', first.text);
  }
  if (named !== undefined && beside !== undefined && named !== beside) {
    draft.warn('value', `The amount is in ${beside}, but the currency says ${named}.`, given.text);
    return undefined;
  }
  const currency = beside ?? named;
  if (currency === undefined && first === undefined)
    draft.warn('value', 'The amount has no currency.', given.text);
  return currency;
}

function setValue(draft: Draft, amount: string, currency: string, text: string): void {
  const decimals = decimalsOf(currency) ?? 0;
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > decimals) {
    draft.warn('value.amount', `An amount in ${currency} has at most ${decimals} decimals.`, text);
  } else if (whole.length > MAX_DIGITS) {
    draft.warn('value.amount', `An amount has at most ${MAX_DIGITS} digits before the point.`, text);
  } else {
    const shown = fraction.slice(0, decimals);
    draft.body.set('value', { amount: shown === '' ? whole : `${whole}.${shown}`, currency });
  }
}
