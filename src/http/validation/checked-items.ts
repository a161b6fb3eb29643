import type { OpenAPIV3, OpenApiRequestMetadata } from 'express-openapi-validator/dist/framework/types.js';

/**
 * How to check one item of a list in an operation's body as if it was a body itself. From then on the validator no longer
 * checks the items of the list, so that a wrong one doesn't fail the request.
 */
export function takeItems<Metadata extends OpenApiRequestMetadata>(
  metadata: Metadata,
  list: string | null,
): Metadata | undefined {
  if (list === null) return undefined;
  const { requestBody } = metadata.schema as { requestBody: OpenAPIV3.RequestBodyObject };
  const content = requestBody.content['application/json'] as OpenAPIV3.MediaTypeObject;
  const body = content.schema as OpenAPIV3.SchemaObject;
  const items = body.properties?.[list] as OpenAPIV3.ArraySchemaObject;
  const schema = {
    ...metadata.schema,
    requestBody: { required: true, content: { 'application/json': { schema: items.items } } },
  };
  items.items = {};
  return { ...metadata, expressRoute: `an item of ${metadata.expressRoute}`, schema };
}
