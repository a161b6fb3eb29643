import { isSupportedCountry } from 'libphonenumber-js/min';
import { schemas } from '../../generated/limits.ts';
import { type FieldErrors, invalidFields } from '../problem.ts';
import { isLocale } from '../spellings/locale.ts';
import { jsonBytes } from '../values/json-size.ts';
import { isField } from './mapping/fields.ts';
import type { ImportOptions } from './tables.ts';

const { maxProperties: MAX_FIELDS, 'x-max-bytes': MAX_BYTES } = schemas.ImportValues;

/** Throws 422 for a locale or a country that does not exist, and for translations of fields that the resource lacks. */
export function checkReading({
  resource,
  locale,
  default_country,
  values,
}: Pick<ImportOptions, 'resource' | 'locale' | 'default_country' | 'values'>): void {
  const errors: FieldErrors = Object.create(null);
  if (locale !== null && !isLocale(locale)) {
    errors.locale = ['must be a language tag such as de, de-CH or en-GB'];
  }
  if (default_country !== null && !isSupportedCountry(default_country)) {
    errors.default_country = ['must be the code of a country, such as DE'];
  }
  for (const [field, translations] of Object.entries(values)) {
    if (!isField(resource, field)) errors[`values.${field}`] = [noField(resource)];
    for (const [text, translation] of Object.entries(translations)) {
      const wrong = Object.keys(Object(translation)).find((name) => !isField(resource, name));
      if (typeof translation === 'object' && wrong !== undefined) {
        errors[`values.${field}.${text}.${wrong}`] = [noField(resource)];
      }
    }
  }
  if (Object.keys(values).length > MAX_FIELDS || jsonBytes(values) > MAX_BYTES) {
    errors.values = [
      `must have at most ${MAX_FIELDS} fields and ${MAX_BYTES / 1024} KiB of JSON after the change`,
    ];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

function noField(resource: string): string {
  return `is not a field of ${resource} that a column can fill`;
}
