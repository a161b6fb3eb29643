import { isSupportedCountry } from 'libphonenumber-js/min';
import type { Input, Schema } from '../operation.ts';
import { type FieldErrors, invalidFields, invalidParameter } from '../problem.ts';
import { isLocale } from '../spellings/locale.ts';
import { encodingNamed } from './file/text/decode-file.ts';
import { isField } from './mapping/fields.ts';
import { matchFor } from './mapping/mapping.ts';

/** How a file is to be imported, as a client has said. */
export interface ImportOptions {
  resource: Schema<'ImportResource'>;
  match: Schema<'ImportMatch'>;
  on_duplicate: Schema<'ImportOnDuplicate'>;
  dry_run: boolean;
  /** Columns with a field, or with null. Others are mapped by their names and rows. */
  mapping: Schema<'ImportMapping'>;
  defaults: Schema<'ImportDefaults'>;
  values: Schema<'ImportValues'>;
  locale: string | null;
  default_country: string | null;
  charset: string | null;
  sheet: string | null;
  create_users: boolean;
  /** Doubts that need no answer. */
  accept_doubts: readonly Schema<'ImportDoubtCode'>[];
  /** Null: unless there are doubts. */
  start: boolean | null;
}

/** The options in the parameters of an upload. */
export function optionsInQuery(query: Input<'createImport'>['query']): ImportOptions {
  const { resource, mode, dry_run, mapping = {}, ...rest } = query;
  if (resource === undefined) throw invalidParameter('resource', 'is required');
  const columns = Object.entries(mapping).map(([column, field]) => [column, field || null]);
  return checked({
    ...withDefaults({ ...rest, mapping: Object.fromEntries(columns) }),
    resource,
    dry_run: mode === 'try' || dry_run,
  });
}

/** Throws 400 for options in the parameters of a document. */
export function rejectOptions({
  match,
  on_duplicate,
  mode,
  dry_run,
  create_users,
  ...query
}: Input<'createImport'>['query']): void {
  const [other] = Object.entries({
    ...query,
    ...(match !== 'email' && { match }),
    ...(on_duplicate !== 'reject' && { on_duplicate }),
    ...(mode !== 'import' && { mode }),
    ...(dry_run && { dry_run }),
    ...(create_users && { create_users }),
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other !== undefined) {
    throw invalidParameter(other, 'must be in the JSON document, like all options of this import');
  }
}

/** The options in a document. */
export function optionsInDocument(document: Schema<'CreateImport'>): ImportOptions {
  const { resource, mode, ...rest } = document;
  return checked({ ...withDefaults(rest), resource, dry_run: mode === 'try' });
}

/** The same options with another encoding or sheet. */
export function optionsWith(
  options: ImportOptions,
  { charset, sheet }: Input<'putImportFile'>['query'],
): ImportOptions {
  return checked({ ...options, charset: charset ?? options.charset, sheet: sheet ?? options.sheet });
}

type Given = Partial<Omit<ImportOptions, 'resource' | 'dry_run' | 'start'>> & { start?: boolean };

function withDefaults(given: Given): Omit<ImportOptions, 'resource' | 'dry_run'> {
  const { match = 'email', on_duplicate = 'reject', mapping = {}, defaults = {}, values = {} } = given;
  const {
    locale = null,
    default_country: country,
    charset = null,
    sheet = null,
    start = null,
    create_users = false,
    accept_doubts = [],
  } = given;
  const default_country = country?.toUpperCase() ?? null;
  return {
    match,
    on_duplicate,
    mapping,
    defaults,
    values,
    locale,
    default_country,
    charset,
    sheet,
    start,
    create_users,
    accept_doubts,
  };
}

/** Throws 422 for options that mean nothing, whatever the file is. */
function checked(options: ImportOptions): ImportOptions {
  if (options.charset !== null) encodingNamed(options.charset);
  checkReading(options);
  return { ...options, match: matchFor(options.resource, options.match) };
}

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
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

function noField(resource: string): string {
  return `is not a field of ${resource} that a column can fill`;
}
