import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';

/** The fields that a form of this operation may have. Undefined if it has no form, or one that may have any. */
export function formFields(
  { requestBody }: OpenAPIV3.OperationObject,
  document: OpenAPIV3.DocumentV3_1,
): ReadonlySet<string> | undefined {
  const content = requestBody && 'content' in requestBody ? requestBody.content : {};
  const own = content['application/x-www-form-urlencoded']?.schema;
  const schema =
    own && '$ref' in own ? document.components?.schemas?.[own.$ref.split('/').at(-1) ?? ''] : own;
  const { additionalProperties, properties = {} } = (schema ?? {}) as OpenAPIV3.SchemaObject;
  return additionalProperties === false ? new Set(Object.keys(properties)) : undefined;
}

/** RFC 6749 section 3.2: a server ignores the parameters of a form that it does not know. */
export function keepFields(form: Record<string, unknown>, fields: ReadonlySet<string> | undefined): object {
  if (fields === undefined) return form;
  return Object.fromEntries(Object.entries(form).filter(([name]) => fields.has(name)));
}
