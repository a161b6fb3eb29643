/** What is done to the document before the validators compile it. */
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { type Members, mapSchemas } from './map-schemas.ts';

/** Resolves parameter references once. The validator would resolve them on each request. */
export function inlineParameters(document: OpenAPIV3.DocumentV3_1): void {
  const shared = document.components?.parameters ?? {};
  for (const item of Object.values(document.paths ?? {})) {
    // Parameters of a path apply to each of its operations.
    for (const holder of [item, item.get, item.put, item.post, item.patch, item.delete]) {
      if (holder?.parameters === undefined) continue;
      holder.parameters = holder.parameters.map((parameter) =>
        '$ref' in parameter ? structuredClone(shared[parameter.$ref.split('/').at(-1) ?? '']) : parameter,
      ) as OpenAPIV3.ParameterObject[];
    }
  }
}

/**
 * The document without what has a URI and what the validators are given by operation: they would walk through all of it for
 * each schema that they compile.
 */
export function withoutParts<Any extends OpenAPIV3.DocumentV3 | OpenAPIV3.DocumentV3_1>(document: Any): Any {
  return { ...document, paths: {}, components: { securitySchemes: document.components?.securitySchemes } };
}

/**
 * Ajv then looks at the one schema of a union that the discriminator names, instead of at all: the page of events takes a
 * fifth less CPU. It reads the names from the schemas, and refuses a mapping.
 */
export function withoutMappings<Any extends OpenAPIV3.DocumentV3 | OpenAPIV3.DocumentV3_1>(
  document: Any,
): Any {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    if ('discriminator' in schema) delete schema.discriminator?.mapping;
  }
  return document;
}

/**
 * Limits hold for what clients send. What is stored already is better sent than refused: it may be older than its limit.
 */
export function withoutLimits(schemas: Record<string, object>): Record<string, object> {
  const change = ({ maxLength: _, maxItems: _items, ...schema }: Members) => schema;
  return mapSchemas(schemas, change) as Record<string, object>;
}

const POINTER = '#/components/schemas/';
/** Makes a URI of the name of a shared schema. */
const SCHEME = 'schema:';

/**
 * Refers to each shared schema by a URI, under which Ajv compiles it once. By a pointer, each operation would compile a copy
 * of its own: together they then take twice the CPU, and 30 MiB more.
 */
export function referByUri(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('$ref' in node && typeof node.$ref === 'string') node.$ref = node.$ref.replace(POINTER, SCHEME);
  for (const child of Object.values(node)) referByUri(child);
}

/** The shared schemas by their URIs. */
export function byUri({ components }: OpenAPIV3.DocumentV3 | OpenAPIV3.DocumentV3_1): Record<string, object> {
  const schemas = Object.entries(components?.schemas ?? {});
  return Object.fromEntries(schemas.map(([name, schema]) => [SCHEME + name, schema]));
}
