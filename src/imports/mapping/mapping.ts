import { schemas } from '../../../generated/limits.ts';
import type { Schema } from '../../operation.ts';
import { invalidField, invalidFields } from '../../problem.ts';
import { jsonBytes } from '../../values/json-size.ts';
import type { ImportRow } from '../tables.ts';
import { fieldsOf, isField, joined, synonyms } from './fields.ts';

type Mapping = Schema<'ImportMapping'>;

/** Maps columns by their names. The first matching column gets the field. */
export function proposeMapping(resource: ImportRow['resource'], columns: readonly string[]): Mapping {
  const fields = Object.keys(fieldsOf[resource]);
  const known = new Map(fields.map((field) => [simplify(field), field]));
  const taken = new Set<string>();
  return Object.fromEntries(
    columns.map((column) => {
      const simple = simplify(column);
      const synonym = Object.hasOwn(synonyms, simple) ? synonyms[simple] : undefined;
      const field = isField(resource, column) ? column : (known.get(simple) ?? synonym);
      const isFree =
        field !== undefined && isField(resource, field) && (joined.has(field) || !taken.has(field));
      if (isFree) taken.add(field);
      return [column, isFree ? field : null];
    }),
  );
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Replaces the given part of a mapping; an empty text is null. Throws 422 for an unknown column. */
export function withMapping(mapping: Mapping, given: Mapping = {}): Mapping {
  const unknown = Object.keys(given).filter((column) => !Object.hasOwn(mapping, column));
  if (unknown.length > 0) {
    throw invalidFields(
      Object.fromEntries(unknown.map((column) => [`mapping.${column}`, ['is not a column of the file']])),
    );
  }
  return {
    ...mapping,
    ...Object.fromEntries(Object.entries(given).map(([column, field]) => [column, field || null])),
  };
}

type Match = Schema<'ImportMatch'>;

/** The fields that rows can be matched by, in each resource. The first one is the default. */
const matches: Record<ImportRow['resource'], readonly [Match, ...Match[]]> = {
  leads: ['email', 'external_id'],
  contacts: ['email', 'external_id'],
  users: ['email'],
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

type Options = Pick<ImportRow, 'resource' | 'mapping' | 'defaults' | 'match' | 'on_duplicate'>;

/** Throws 422 for unknown fields, for a field with two columns, and if there is no field to match by. */
export function checkOptions({ resource, mapping, defaults, match, on_duplicate }: Options): void {
  const errors: Record<string, string[]> = Object.create(null);
  const fields = Object.keys(fieldsOf[resource]).join(', ');
  const unknown = `must be one of ${fields}, or a key of an object, such as metadata.plan`;
  const columnOf = new Map<string, string>();
  for (const [column, field] of Object.entries(mapping)) {
    if (field === null) continue;
    const other = columnOf.get(field);
    if (!isField(resource, field)) errors[`mapping.${column}`] = [unknown];
    else if (other !== undefined && !joined.has(field)) {
      errors[`mapping.${column}`] = [`is already filled by the column ${other}`];
    }
    columnOf.set(field, column);
  }
  for (const field of Object.keys(defaults)) {
    if (!isField(resource, field)) errors[`defaults.${field}`] = [unknown];
  }
  if (jsonBytes(mapping) > schemas.ImportMapping['x-max-bytes'])
    errors.mapping = ['must have at most 16 KiB of JSON'];
  if (jsonBytes(defaults) > schemas.ImportDefaults['x-max-bytes'])
    errors.defaults = ['must have at most 8 KiB of JSON'];
  if (on_duplicate !== 'reject' && !columnOf.has(match) && !isDerived(resource)) {
    errors.mapping ??= [`must map a column to ${match}, by which duplicates are found`];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}
