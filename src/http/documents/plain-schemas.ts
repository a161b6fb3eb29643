import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../validation/contract.ts';
import { isMembers, type Members, mapSchemas, mapValues } from './map-schemas.ts';

/** The keywords that apply to values of one type only. */
const keywordsOf: Record<string, readonly string[]> = {
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
};

/**
 * The document in words that every generator of clients reads rightly. The contract keeps its own, which give the better
 * validation messages.
 */
export function toPlainSchemas(document: Document): Document {
  return mapSchemas(document, (schema) =>
    splitTypes(nameOtherFields(tellDefaults(schema, document))),
  ) as Document;
}

/** Some generators take a field with a default for one that a request must have. */
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
  const name = String($ref).slice('#/components/schemas/'.length);
  const target = document.components?.schemas?.[name] as { description?: string } | undefined;
  return String(description ?? target?.description ?? '').trim();
}

/** Some generators ignore patterns; the others want them to allow what the named fields are. */
function nameOtherFields(schema: Members): Members {
  if (!isMembers(schema.patternProperties)) return schema;
  const kinds = [...Object.values(schema.patternProperties), ...Object.values(schema.properties ?? {})];
  const anyOf = kinds.filter(
    (kind, index) => kinds.findIndex((other) => isDeepStrictEqual(other, kind)) === index,
  );
  return { ...schema, additionalProperties: anyOf.length === 1 ? anyOf[0] : { anyOf } };
}

/** Some generators see one type only where a schema lists several. */
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
