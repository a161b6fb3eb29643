import { schemas } from '../../../generated/limits.ts';
import type { Schema } from '../../operation.ts';
import { invalidField } from '../../problem.ts';
import { checkSize } from '../../resource/fields.ts';
import { isLocale } from '../../spellings/locale.ts';
import { isCountry } from '../../spellings/phone.ts';
import { checkCondition } from './accept.ts';

type Options = Pick<Schema<'UpdateInboundHook'>, 'default_country' | 'locale' | 'values' | 'accept_if'>;

/** Throws 422 for what the schema can't say about how a hook reads and accepts deliveries. */
export function checkOptions({ default_country: country, locale, values, accept_if }: Options): void {
  if (country && !isCountry(country)) {
    throw invalidField('default_country', 'must be the code of a country, such as DE');
  }
  if (locale && !isLocale(locale)) {
    throw invalidField('locale', 'must be a language that this service knows, such as de, de-CH or en-GB');
  }
  if (values !== undefined) checkSize('values', values, schemas.HookValues['x-max-bytes']);
  checkCondition(accept_if);
}

/** Throws 422 for a hook that reopens the leads of known people, but does not merge what they write. */
export function checkReturn({
  on_return,
  on_duplicate,
}: Pick<Schema<'UpdateInboundHook'>, 'on_return' | 'on_duplicate'>): void {
  if (on_return !== 'reopen' || on_duplicate === 'merge') return;
  throw invalidField('on_return', 'can only be reopen if on_duplicate is merge');
}
