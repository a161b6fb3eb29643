import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../../../src/http/validation/document.ts';
import { isMembers, type Members, mapValues } from '../../../src/http/validation/map-schemas.ts';

/** The keywords that apply to values of one type only. */
const keywordsOf: Record<string, readonly string[]> = {
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
};

/** A schema in forms that every client generator handles correctly. */
export function plainSchema(schema: Members, document: Document): Members {
  const rules = [tellDefaults, toMap, splitTypes, simplifyPattern, openNullableEnum, nameOrders];
  return rules.reduce((plain, rule) => rule(plain, document), schema);
}

/** Some generators require a field in requests if it has a default. */
function tellDefaults(schema: Members, document: Document): Members {
  if (!isMembers(schema.properties)) return schema;
  const properties = mapValues(schema.properties, (property) => {
    if (!isMembers(property) || property.default === undefined) return property;
    const { default: value, ...rest } = property;
    const text = `${descriptionOf(property, document)} Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
    return { ...rest, description: text.trim() };
  });
  return { ...schema, properties };
}

function descriptionOf({ description, $ref }: Members, document: Document): string {
  return String(description ?? referenced($ref, document)?.description ?? '').trim();
}

function referenced($ref: unknown, { components }: Document): Members | undefined {
  const name = String($ref).slice('#/components/schemas/'.length);
  return components?.schemas?.[name] as Members | undefined;
}

/**
 * Generators ignore or reject `patternProperties`, and the named fields of a TypeScript map must have the type of the rest.
 * So an object with both becomes a map whose description names the fields.
 */
function toMap(schema: Members): Members {
  const { patternProperties, properties = {}, required = [], description = '', ...rest } = schema;
  if (!isMembers(patternProperties)) return schema;
  const kinds = [...Object.values(patternProperties), ...Object.values(properties as Members)];
  const anyOf = kinds.filter(
    (kind, index) => kinds.findIndex((other) => isDeepStrictEqual(other, kind)) === index,
  );
  const names = Object.keys(properties as Members).map((name) =>
    (required as string[]).includes(name) ? `\`${name}\` (required)` : `\`${name}\``,
  );
  const fields = names.length === 0 ? '' : `\n\nFields: ${names.join(', ')}.`;
  return {
    ...rest,
    description: `${String(description).trim()}${fields}`.trim(),
    additionalProperties: anyOf.length === 1 ? anyOf[0] : { anyOf },
  };
}

/** Some generators see only one type if a schema lists several. */
function splitTypes(schema: Members): Members {
  if (!Array.isArray(schema.type)) return schema;
  const types: string[] = schema.type.filter((type) => type !== 'null');
  if (types.length < 2) return schema;
  const { type: _, ...rest } = schema;
  const isNullable = types.length < schema.type.length;
  const anyOf = types.map((type) => {
    const own = Object.entries(rest).filter(([keyword]) => keywordsOf[type]?.includes(keyword));
    return { type: isNullable ? [type, 'null'] : type, ...Object.fromEntries(own) };
  });
  const typed = new Set(types.flatMap((type) => keywordsOf[type] ?? []));
  const shared = Object.entries(rest).filter(([keyword]) => !typed.has(keyword));
  return { ...Object.fromEntries(shared), anyOf };
}

/** Removes patterns that languages read differently: Python has no `\p{…}`, and JavaScript needs the flag `u` for it. */
function simplifyPattern(schema: Members): Members {
  const { pattern, ...rest } = schema;
  return typeof pattern === 'string' && /\\[A-Za-z0-9]|\(\?/.test(pattern) ? rest : schema;
}

/**
 * Some generators create a constant for a null in an enum, and some validators reject a null that the enum lacks. So an enum
 * with null that can't grow becomes a pattern.
 */
function openNullableEnum(schema: Members): Members {
  const { enum: values, 'x-extensible-enum': canGrow, ...rest } = schema;
  if (!Array.isArray(values) || !values.includes(null)) return schema;
  const known = values.filter((value) => value !== null);
  return canGrow === true
    ? { ...rest, 'x-extensible-enum': known }
    : { ...rest, pattern: `^(${known.join('|')})$` };
}

/** `name` and `-name` would become the same constant. */
function nameOrders(schema: Members): Members {
  const { enum: values } = schema;
  if (!Array.isArray(values) || !values.some((value) => String(value).startsWith('-'))) return schema;
  const names = values.map((value) => {
    const words = String(value).split(/[-_]/).filter(Boolean);
    const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    return String(value).startsWith('-') ? `${name}Descending` : name;
  });
  return { ...schema, 'x-enum-varnames': names };
}
