import { schemas } from '../../../generated/limits.ts';
import type { Schema } from '../../operation.ts';
import { invalidField, invalidFields } from '../../problem.ts';
import { jsonBytes } from '../../values/json-size.ts';
import type { ImportRow } from '../tables.ts';
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

/** Replaces the given part of a mapping; an empty text is null. Throws 422 for an unknown column. */
export function withMapping(columns: readonly string[], mapping: Mapping, given: Mapping = {}): Mapping {
  const known = new Set(columns);
  const unknown = Object.keys(given).filter((column) => !known.has(column));
  if (unknown.length > 0) {
    throw invalidFields(
      Object.fromEntries(unknown.map((column) => [`mapping.${column}`, ['is not a column of the file']])),
    );
  }
  return toMapping(columns, (column) => (Object.hasOwn(given, column) ? given[column] : mapping[column]));
}

type Match = Schema<'ImportMatch'>;

/** The fields that rows can be matched by, in each resource. The first one is the default. */
const matches: Record<ImportRow['resource'], readonly [Match, ...Match[]]> = {
  leads: ['email', 'external_id'],
  contacts: ['email', 'external_id'],
  users: ['email', 'external_id'],
  content: ['slug'],
  notes: ['external_id'],
};

/** The field to match by. The contract's default, `email`, is that of the resource. Throws 422 for another resource's field. */
export function matchFor(resource: ImportRow['resource'], given: Match): Match {
  const [own, ...others] = matches[resource];
  if (given === own || given === 'email') return own;
  if (others.includes(given)) return given;
  throw invalidField('match', `Rows of ${resource} can't be matched by ${given}, but by ${own}.`);
}

/** Whether rows without the field get it from others. */
function isDerived(resource: ImportRow['resource']): boolean {
  return resource === 'content' || resource === 'notes';
}

/** With the hints that are known from the file. */
export function unusedColumns(
  columns: readonly string[],
  mapping: Mapping,
  hints: ReadonlyMap<string, string | null>,
): Schema<'UnusedColumn'>[] {
  const unused = columns.filter((column) => !mapping[column]);
  return unused.map((column) => ({ column, hint: hints.get(column) ?? null }));
}

type Options = Pick<
  ImportRow,
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
  if (jsonBytes(defaults) > schemas.ImportDefaults['x-max-bytes'])
    errors.defaults = ['must have at most 8 KiB of JSON'];
  const isMatched = isDerived(resource) || used.some(([, field]) => field === match);
  if (on_duplicate !== 'reject' && !isMatched) {
    errors.mapping ??= [`must map a column to ${match}, by which duplicates are found`];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}
