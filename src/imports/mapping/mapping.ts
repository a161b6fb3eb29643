import { schemas } from '../../../generated/limits.ts';
import type { Schema } from '../../operation.ts';
import { invalidField, invalidFields } from '../../problem.ts';
import { jsonBytes } from '../../values/json-size.ts';
import type { ImportOptions } from '../tables.ts';
import { createDefaults } from './defaults.ts';
import { fieldsOf, isField } from './fields.ts';
import { toFieldOptions } from './map-row.ts';

type Mapping = Schema<'ImportMapping'>;

/** The mapping in the order of the columns. Null stands for a column that is ignored. */
export function toMapping(
  columns: readonly string[],
  fieldOf: (column: string) => string | null | undefined,
): Mapping {
  return Object.fromEntries(columns.map((column) => [column, fieldOf(column) || null]));
}

/** Throws 422 for a column that the file doesn't have. */
export function checkColumns(columns: readonly string[], given: Mapping): void {
  const known = new Set(columns);
  const unknown = Object.keys(given).filter((column) => !known.has(column));
  if (unknown.length === 0) return;
  throw invalidFields(
    Object.fromEntries(unknown.map((column) => [`mapping.${column}`, ['is not a column of the file']])),
  );
}

type Match = Schema<'ImportMatch'>;

/** The fields that rows can be matched by, in each resource. The first one is the default. */
const matches: Record<ImportOptions['resource'], readonly [Match, ...Match[]]> = {
  leads: ['email', 'external_id'],
  contacts: ['email', 'external_id'],
  users: ['email', 'external_id'],
  content: ['slug'],
  notes: ['external_id'],
};

/** The field to match by. The contract's default, `email`, is that of the resource. Throws 422 for another resource's field. */
export function matchFor(resource: ImportOptions['resource'], given: Match): Match {
  const [own, ...others] = matches[resource];
  if (given === own || given === 'email') return own;
  if (others.includes(given)) return given;
  throw invalidField('match', `Rows of ${resource} can't be matched by ${given}, but by ${own}.`);
}

/** Whether rows without the field to match by get it from others. */
export function isDerived(resource: ImportOptions['resource']): boolean {
  return resource === 'content' || resource === 'notes';
}

type Options = Pick<
  ImportOptions,
  'resource' | 'mapping' | 'defaults' | 'match' | 'on_duplicate' | 'values' | 'locale' | 'default_country'
>;

/** Throws 422 for unknown fields, for defaults that can't be read, and if there is no field to match by. */
export function checkOptions(options: Options): void {
  const { resource, mapping, defaults, match, on_duplicate } = options;
  const errors: Record<string, string[]> = Object.create(null);
  const fields = Object.keys(fieldsOf[resource]).join(', ');
  const unknown = `must be one of ${fields}, or a key of an object, such as metadata.plan`;
  const used = Object.entries(mapping).filter((entry): entry is [string, string] => entry[1] !== null);
  for (const [column, field] of used) {
    if (!isField(resource, field)) errors[`mapping.${column}`] = [unknown];
  }
  for (const { field, message } of createDefaults(defaults, toFieldOptions(options)).warnings) {
    errors[`defaults.${field}`] = [message];
  }
  for (const field of Object.keys(defaults)) {
    if (!isField(resource, field)) errors[`defaults.${field}`] = [unknown];
  }
  if (jsonBytes(mapping) > schemas.ImportMapping['x-max-bytes'])
    errors.mapping = [`must have at most ${schemas.ImportMapping['x-max-bytes'] / 1024} KiB of JSON`];
  const { maxProperties, 'x-max-bytes': maxBytes } = schemas.ImportDefaults;
  if (Object.keys(defaults).length > maxProperties || jsonBytes(defaults) > maxBytes) {
    errors.defaults = [
      `must have at most ${maxProperties} fields and ${maxBytes / 1024} KiB of JSON after the change`,
    ];
  }
  const isMatched = isDerived(resource) || used.some(([, field]) => field === match);
  if (on_duplicate !== 'reject' && !isMatched) {
    errors.mapping ??= [`must map a column to ${match}, by which duplicates are found`];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}
