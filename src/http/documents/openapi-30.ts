import type { Document } from '../validation/contract.ts';

type Members = Record<string, unknown>;

/**
 * Converts the document to OpenAPI 3.0.3, for generators that don't support 3.1. Drops what 3.0 can't express (webhooks,
 * key lengths). Covers only what the contract uses; the tests validate the result against the 3.0 schema.
 */
export function toOpenApi30(document: Document): Members {
  const { openapi: _, info, webhooks: _webhooks, ...rest } = document;
  const {
    summary: _summary,
    license,
    ...otherInfo
  } = info as typeof info & { summary?: string; license?: License };
  return {
    openapi: '3.0.3',
    info: { ...otherInfo, ...(license && { license: toLicenseUrl(license) }) },
    ...(convert(rest) as Members),
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

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert);
  if (!isMembers(node)) return node;
  if (typeof node.$ref === 'string') return reference(node.$ref, node);
  return nullable(Object.fromEntries(Object.entries(node).flatMap(([name, value]) => member(name, value))));
}

function member(name: string, value: unknown): [string, unknown][] {
  switch (name) {
    case 'propertyNames':
      return [];
    case 'patternProperties': // follows additionalProperties, which it refines
      return [['additionalProperties', convert(Object.values(value as Members)[0])]];
    case 'const':
      return [['enum', [value]]];
    case 'examples': // a list in a schema, a map elsewhere
      return Array.isArray(value) ? [['example', value[0]]] : [[name, value]];
    case 'example':
    case 'default':
    case 'enum': // data, not schemas
      return [[name, value]];
    case 'properties': // the API's own names, not keywords
      return [[name, mapValues(value as Members, convert)]];
    default:
      return [[name, convert(value)]];
  }
}

/** 3.0 ignores siblings of $ref. Schema references are wrapped in allOf to keep them, such as a default. */
function reference($ref: string, { $ref: _, ...siblings }: Members): Members {
  const isSchema = $ref.startsWith('#/components/schemas/');
  if (!isSchema || Object.keys(siblings).length === 0) return { $ref };
  return { allOf: [{ $ref }], ...(convert(siblings) as Members) };
}

/** 3.1 lists null among a schema's types or alternatives; 3.0 has `nullable`. */
function nullable(schema: Members): Members {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    const one = types.length === 1 ? { type: types[0] } : { anyOf: types.map((name) => ({ type: name })) };
    return { ...one, ...(types.length < type.length && { nullable: true }), ...rest };
  }
  if (Array.isArray(anyOf) && anyOf.some(isNull)) {
    const nonNull = anyOf.filter((alternative) => !isNull(alternative));
    return { [nonNull.length === 1 ? 'allOf' : 'anyOf']: nonNull, nullable: true, ...rest };
  }
  return schema;
}

function isNull(schema: unknown): boolean {
  return isMembers(schema) && schema.type === 'null';
}

function isMembers(node: unknown): node is Members {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function mapValues(members: Members, change: (value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
}
