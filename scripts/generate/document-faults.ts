import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';

/** Where the document is not valid OpenAPI 3.1. */
export function documentFaults(document: object): string[] {
  const validator = new OpenAPISchemaValidator({ version: '3.1.0', validateApiSpec: true });
  const { errors } = validator.validate(document as OpenAPIV3.DocumentV3_1);
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
