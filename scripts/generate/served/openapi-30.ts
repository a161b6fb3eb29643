import type { Document } from '../../../src/http/validation/document.ts';
import { isMembers, type Members, mapSchemas } from '../../../src/http/validation/map-schemas.ts';
import { withoutUnused } from './plain-document.ts';

/**
 * Converts the served document to OpenAPI 3.0.3, for generators that don't support 3.1. Drops what 3.0 can't express
 * (webhooks, patterns of names), and choices between types, which clients of such generators can't read. Opens enums that
 * may grow. Covers only what the document uses; the tests validate the result.
 */
export function toOpenApi30(document: Document): Members {
  const { openapi: _, info, webhooks: _webhooks, components, ...rest } = document;
  const {
    summary: _summary,
    license,
    ...otherInfo
  } = info as typeof info & { summary?: string; license?: License };
  const used = withoutUnused({ ...rest, components } as Document);
  const described = mapSchemas(used, (schema) => describeReferences(openMap(schema, used)));
  return {
    openapi: '3.0.3',
    info: { ...otherInfo, ...(license && { license: toLicenseUrl(license) }) },
    ...(withoutUnused(mapSchemas(described, convert) as Document) as Members),
  };
}

interface License {
  name: string;
  identifier?: string;
}

/** 3.1 may identify a license by its SPDX identifier, 3.0 only by a URL. */
function toLicenseUrl({ identifier, ...license }: License) {
  return identifier === undefined
    ? license
    : { ...license, url: `https://spdx.org/licenses/${identifier}.html` };
}

/** A map whose values are texts, numbers or the like takes any value. Its description includes that of the values. */
function openMap(schema: Members, { components }: Document): Members {
  const { additionalProperties: given, description, ...rest } = schema;
  if (!isMembers(given)) return schema;
  const name = String(given.$ref).slice('#/components/schemas/'.length);
  const values = (components?.schemas?.[name] ?? given) as Members;
  if (!isOfTypes(values.anyOf) || values.anyOf.some(({ type }) => type === 'object')) return schema;
  const texts = [description, values.description].map((text) => String(text ?? '').trim());
  return { ...rest, description: texts.filter(Boolean).join('\n\n'), additionalProperties: true };
}

/** 3.0 ignores keywords beside a `$ref`, so the object's description includes those of its fields. */
function describeReferences(schema: Members): Members {
  if (!isMembers(schema.properties)) return schema;
  const descriptions = Object.entries(schema.properties).flatMap(([name, property]) =>
    isMembers(property) && property.$ref !== undefined && property.description !== undefined
      ? [`- \`${name}\`: ${String(property.description).trim().replaceAll(/\s+/g, ' ')}`]
      : [],
  );
  if (descriptions.length === 0) return schema;
  const own = String(schema.description ?? '').trim();
  return { ...schema, description: [own, '', ...descriptions].join('\n').trim() };
}

function convert(node: Members): Members {
  if (typeof node.$ref === 'string') return { $ref: node.$ref };
  const { propertyNames: _, examples, security, ...rest } = anyValue(node);
  return nullable({
    ...tellDefault(openEnum(rest)),
    ...(Array.isArray(security) && { security: security.map(requirement) }),
    // A list in a schema, a map elsewhere.
    ...(examples !== undefined && (Array.isArray(examples) ? { example: examples[0] } : { examples })),
  });
}

/**
 * Turns a choice between types, such as a text or an object, into any value. Java clients of openapi-generator don't compile
 * with a list among the choices, and Rust clients read only objects.
 */
function anyValue(node: Members): Members {
  const { anyOf, ...rest } = node;
  return isOfTypes(anyOf) ? rest : node;
}

function isOfTypes(choice: unknown): choice is Members[] {
  return Array.isArray(choice) && choice.every(({ type }) => type !== undefined);
}

/**
 * Turns an enum that v1 may extend into a string that lists the known values. Clients in Java, Python and Rust can't read an
 * answer with an unknown value of an enum. (Types of TypeScript don't exist at run time. So in 3.1, it stays an enum.)
 */
function openEnum(schema: Members): Members {
  const { enum: values, ...rest } = schema;
  if (schema['x-extensible-enum'] !== true || !Array.isArray(values)) return schema;
  const known = values.map((value) => `\`${value}\``).join(', ');
  const description = `${String(schema.description ?? '').trim()} One of ${known}. More may be added.`;
  return { ...rest, description: description.trim(), 'x-extensible-enum': values };
}

/** Kotlin clients of openapi-generator call the default constant by its value, not by its name. */
function tellDefault(schema: Members): Members {
  const { default: value, ...rest } = schema;
  if (value === undefined || rest['x-enum-varnames'] === undefined) return schema;
  return { ...rest, description: `${String(schema.description ?? '').trim()} Default: \`${value}\`.`.trim() };
}

/** 3.0 has scopes for OAuth only. */
function requirement(schemes: Members): Members {
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scopes]) => [name, name === 'oauth2' ? scopes : []]),
  );
}

/** 3.1 lists null among a schema's types; 3.0 has `nullable`. */
function nullable(schema: Members): Members {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const [only, ...others] = type.filter((name) => name !== 'null');
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no schema of several types: ${type}.`);
  return { type: only, ...(type.length > 1 && { nullable: true }), ...rest };
}
