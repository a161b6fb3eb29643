import type { Document } from './contract.ts';

type Members = Record<string, unknown>;

/**
 * The document as OpenAPI 3.0.3, for generators that don't know 3.1. What 3.0 can't say (webhooks, the length of a
 * key) is left out. It covers what our contract uses, and the tests check the outcome against the schema of 3.0.
 */
export function toOpenApi30(document: Document): Members {
  const { openapi: _, info, webhooks: _webhooks, ...rest } = document;
  const {
    summary: _summary,
    license,
    ...about
  } = info as typeof info & { summary?: string; license?: License };
  return {
    openapi: '3.0.3',
    info: { ...about, ...(license && { license: linked(license) }) },
    ...(convert(rest) as Members),
  };
}

interface License {
  name: string;
  identifier?: string;
}

/** 3.0 has an address where 3.1 may have an SPDX identifier. */
function linked({ identifier, ...license }: License) {
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
    case 'patternProperties': // stands behind additionalProperties, which it refines
      return [['additionalProperties', convert(Object.values(value as Members)[0])]];
    case 'const':
      return [['enum', [value]]];
    case 'examples': // a list in a schema, a map elsewhere
      return Array.isArray(value) ? [['example', value[0]]] : [[name, value]];
    case 'example':
    case 'default':
    case 'enum': // data, whatever it looks like
      return [[name, value]];
    case 'properties': // names of the API's own, whatever they look like
      return [[name, mapValues(value as Members, convert)]];
    default:
      return [[name, convert(value)]];
  }
}

/** In 3.0 a reference stands alone; a schema's may be wrapped, so that a default beside it is not lost. */
function reference($ref: string, { $ref: _, ...beside }: Members): Members {
  const isSchema = $ref.startsWith('#/components/schemas/');
  if (!isSchema || Object.keys(beside).length === 0) return { $ref };
  return { allOf: [{ $ref }], ...(convert(beside) as Members) };
}

/** 3.1 has null among a schema's types or alternatives, 3.0 has a flag. */
function nullable(schema: Members): Members {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    const one = types.length === 1 ? { type: types[0] } : { anyOf: types.map((name) => ({ type: name })) };
    return { ...one, ...(types.length < type.length && { nullable: true }), ...rest };
  }
  if (Array.isArray(anyOf) && anyOf.some(isNull)) {
    const others = anyOf.filter((alternative) => !isNull(alternative));
    return { [others.length === 1 ? 'allOf' : 'anyOf']: others, nullable: true, ...rest };
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
