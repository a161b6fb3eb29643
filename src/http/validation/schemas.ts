/** Reads from the document what Ajv compiles. */
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import type { OperationId } from '../../../generated/operations.ts';
import type { Document } from './document.ts';
import { type Members, mapSchemas } from './map-schemas.ts';

export type Schema = OpenAPI.SchemaObject | OpenAPI.ReferenceObject;
export type SharedSchemas = Record<string, OpenAPI.SchemaObject>;
export type Parameter = Pick<OpenAPI.ParameterObject, 'name' | 'in' | 'required'> & {
  schema: OpenAPI.SchemaObject;
  /** Other names, which are accepted too. */
};

/** An operation of the document. Its references to parameters, bodies and responses are resolved. */
export interface OperationSchemas {
  parameters: readonly Parameter[];
  /** Schemas of the body by media type. */
  bodies: Readonly<Record<string, Schema>>;
  /** By status, schemas of the response by media type. */
  responses: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

/** A copy of the document that refers to shared schemas by URI, so that Ajv compiles each once for all operations. */
export function withUris(document: Document): Document {
  const copy = structuredClone(document);
  referByUri(copy);
  return copy;
}

export const JSON_TYPE = 'application/json';

const POINTER = '#/components/schemas/';
const SCHEME = 'schema:';

/** Also removes the mappings of discriminators, which Ajv rejects; it reads the values from the schemas. */
function referByUri(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('discriminator' in node) delete (node.discriminator as Members).mapping;
  if ('$ref' in node && typeof node.$ref === 'string') node.$ref = node.$ref.replace(POINTER, SCHEME);
  for (const child of Object.values(node)) referByUri(child);
}

/** The shared schemas by their URIs. */
export function sharedSchemas({ components }: Document): SharedSchemas {
  const schemas = Object.entries(components?.schemas ?? {});
  return Object.fromEntries(schemas.map(([name, schema]) => [SCHEME + name, schema]));
}

/**
 * A copy of the document for responses, without maximum lengths: stored values may be older than a limit, and must still be
 * sent. Where all fields are required, their number says as much as their names, and is checked faster.
 */
export function forResponses(document: Document): Document {
  const change = ({ maxLength: _, maxItems: _items, ...schema }: Members) => {
    const { additionalProperties, maxProperties, properties = {}, required = [] } = schema;
    const count = Object.keys(properties as Members).length;
    const isFixed = additionalProperties === false && (required as string[]).length === count;
    if (!isFixed || maxProperties !== undefined) return schema;
    return { ...schema, additionalProperties: true, maxProperties: count };
  };
  return mapSchemas(document, change) as Document;
}

export function resolveSchema(schemas: SharedSchemas, schema: Schema): OpenAPI.SchemaObject {
  return '$ref' in schema ? resolveSchema(schemas, schemas[String(schema.$ref)] ?? {}) : schema;
}

/** The operations of the document, by id. */
export function operationsOf(document: Document): Map<OperationId, OperationSchemas> {
  const schemas = sharedSchemas(document);
  const found = new Map<OperationId, OperationSchemas>();

  function parametersOf(item: OpenAPI.PathItemObject, operation: OpenAPI.OperationObject): Parameter[] {
    // A path's parameters apply to each of its operations.
    return [...(operation.parameters ?? []), ...(item.parameters ?? [])].map((given) => {
      const {
        name,
        in: place,
        required = false,
        schema = {},
      } = resolve(document, given) as OpenAPI.ParameterObject;
      // Ajv doesn't fill in the default of a referenced schema.
      return {
        name,
        in: place,
        required,
        schema: resolveSchema(schemas, schema as Schema),
      };
    });
  }

  for (const item of Object.values(document.paths ?? {})) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = item?.[method];
      if (item === undefined || operation === undefined) continue;
      const responses = Object.entries(operation.responses ?? {});
      found.set(operation.operationId as OperationId, {
        parameters: parametersOf(item, operation),
        bodies: contentOf(document, operation.requestBody ?? {}),
        responses: Object.fromEntries(
          responses.map(([status, response]) => [status, contentOf(document, response)]),
        ),
      });
    }
  }
  return found;
}

function contentOf(
  document: Document,
  holder: OpenAPI.ReferenceObject | { content?: Record<string, OpenAPI.MediaTypeObject> },
): Record<string, Schema> {
  const { content = {} } = resolve(document, holder);
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, { schema = {} }]) => [mediaType, schema as Schema]),
  );
}

/** `$ref` is a pointer such as `#/components/responses/NotFound`. */
function resolve<Value extends object>(document: Document, value: Value | OpenAPI.ReferenceObject): Value {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const { components } = document as { components?: Record<string, Record<string, Value>> };
  const resolved = components?.[kind]?.[name];
  if (resolved === undefined) throw new Error(`The contract has no ${value.$ref}.`);
  return resolved;
}
