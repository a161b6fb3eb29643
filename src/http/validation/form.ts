import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';

/** The fields that a form of this operation may have, with their types. Undefined if it has no form, or one that may have any. */
export function formFields(
  { requestBody }: OpenAPIV3.OperationObject,
  schemas: Record<string, object>,
): ReadonlyMap<string, unknown> | undefined {
  const content = requestBody && 'content' in requestBody ? requestBody.content : {};
  const own = content['application/x-www-form-urlencoded']?.schema;
  const schema = own && '$ref' in own ? schemas[own.$ref] : own;
  const { additionalProperties, properties = {} } = (schema ?? {}) as OpenAPIV3.SchemaObject;
  if (additionalProperties !== false) return undefined;
  return new Map(
    Object.entries(properties).map(([name, property]) => [name, 'type' in property && property.type]),
  );
}

/**
 * RFC 6749 section 3.2: a server ignores the parameters that it does not know. So it does where they are sent as JSON instead
 * of a form. A number is text in a form.
 */
export function keepFields(
  body: Record<string, unknown>,
  fields: ReadonlyMap<string, unknown> | undefined,
  isForm: boolean,
): object {
  if (fields === undefined) return body;
  const known = Object.entries(body).filter(([name]) => fields.has(name));
  return Object.fromEntries(
    known.map(([name, value]) => {
      const isInteger = isForm && fields.get(name) === 'integer' && /^\d{1,15}$/.test(String(value));
      return [name, isInteger ? Number(value) : value];
    }),
  );
}
