import { type Document, nameOf, resolved, type Schema } from './document.ts';

/** A table of fields, with those of objects inside as `value.amount`. Patterns are folded away below it. */
export function fieldsTable(document: Document, schema: Schema): string[] {
  const fields = fieldsOf(document, schema);
  if (fields.length === 0) return [];
  const rows = fields.map(
    ({ name, isRequired, schema }) =>
      `| \`${name}\`${isRequired ? ' **required**' : ''} | ${typeOf(document, schema)} | ${sentence(schema.description)} |`,
  );
  const patterns = fields.flatMap(({ name, schema: { pattern } }) =>
    pattern === undefined ? [] : [`${name}: ${pattern}`],
  );
  const folded = ['', '::: details Patterns', '```text', ...patterns, '```', ':::'];
  return ['| field | type | |', '|---|---|---|', ...rows, ...(patterns.length > 0 ? folded : [])];
}

interface Field {
  name: string;
  isRequired: boolean;
  schema: Schema;
}

const MAX_DEPTH = 2;

function fieldsOf(document: Document, given: Schema, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [], oneOf, anyOf } = resolved(document, given);
  const choices = (oneOf ?? anyOf ?? []).filter(({ type }) => type !== 'null');
  if (choices.length > 0) return distinct(choices.flatMap((each) => fieldsOf(document, each, prefix, depth)));
  return Object.entries(properties).flatMap(([name, property]) => {
    const schema = resolved(document, property);
    const field = { name: prefix + name, isRequired: required.includes(name), schema };
    if (depth === MAX_DEPTH) return [field];
    const inside = isList(schema)
      ? fieldsOf(document, schema.items ?? {}, `${field.name}[].`, depth + 1)
      : fieldsOf(document, schema, `${field.name}.`, depth + 1);
    return [field, ...inside];
  });
}

function distinct(fields: Field[]): Field[] {
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

function isList({ type }: Schema): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

/** In words: `text`, `one of new, won`, `list of texts, or null`. */
export function typeOf(document: Document, given: Schema): string {
  const schema = resolved(document, given);
  const { type = 'any', oneOf, anyOf, format, 'x-extensible-enum': open } = schema;
  const choices = schema.enum ?? (Array.isArray(open) ? open : undefined);
  const types = [type].flat();
  const kinds = types.filter((each) => each !== 'null');
  const orNull = types.includes('null') && kinds.length > 0 ? ' or null' : '';
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (choices !== undefined) {
    const named = choices.filter((choice) => choice !== null).map((choice) => `\`${choice}\``);
    return `${named.join(', ')}${choices.includes(null) ? ' or null' : orNull}`;
  }
  const variants = oneOf ?? anyOf;
  if (variants !== undefined)
    return [...new Set(variants.map((each) => typeOf(document, each)))].join(' or ');
  if (kinds[0] === 'array') return `list of ${plural(typeOf(document, schema.items ?? {}))}${orNull}`;
  const name = nameOf(given);
  const isMap = kinds[0] === 'object' && schema.properties === undefined;
  const known = format !== undefined && FORMATS[format];
  return `${known || (isMap ? 'map' : NAMES[kinds[0] ?? ''] || name || kinds.join(' or '))}${orNull}`;
}

const NAMES: Record<string, string> = { string: 'text', any: 'any value' };
const FORMATS: Record<string, string> = { 'date-time': 'time', date: 'date', email: 'email', uri: 'URL' };

function plural(type: string): string {
  return /^[a-z]+$/i.test(type) ? `${type}s` : type;
}

/** A description on one line of a table. */
export function sentence(text = ''): string {
  return text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
