/**
 * The only file that imports express-openapi-validator. Its middleware would look up the operation once more, with a regular
 * expression for each path of the document, and read the query with url.parse(), for which Node walks the stack: that takes a
 * sixth of a request's CPU. So we take the parts that the middleware is made of. They are not documented: the version is
 * exact, and test/source/validator-internals.test.ts names what we rely on.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { createRequestAjv, createResponseAjv } from 'express-openapi-validator/dist/framework/ajv/index.js';
import type { OpenAPIV3, Options } from 'express-openapi-validator/dist/framework/types.js';
import { ParametersSchemaParser } from 'express-openapi-validator/dist/middlewares/parsers/schema.parse.js';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { isDate, isInstantOrDate } from '../../values/instant-or-date.ts';
import { isTimezone } from '../../values/timezone.ts';
import { maxBytes } from './max-bytes.ts';
import type { Parameter, SharedSchemas } from './schemas.ts';
import { spelling } from './spelling.ts';

const options: Options = {
  strict: false,
  // `npm run generate` makes no document with invalid schemas.
  validateSchema: false,
  // Optimizing takes most of the time of compiling, and V8 does it again.
  code: { optimize: false },
  ajvFormats: { mode: 'fast' },
  formats: {
    'instant-or-date': isInstantOrDate,
    // Filters use `none` for what has no value.
    'not-none': (text: string) => text !== 'none',
    date: isDate,
    timezone: isTimezone,
    // `x-spelling` checks those of requests. A response may have one that was stored before there was a rule.
    email: true,
    // For generators of clients. `minimum` and `maximum` say what a value may be.
    int32: true,
  },
};

/** The validators would walk through all of the document for each of its schemas. They get these by their URIs instead. */
const emptyDocument: OpenAPIV3.DocumentV3_1 = {
  openapi: '3.1.0',
  info: { title: '', summary: '', version: '' },
  paths: {},
  webhooks: {},
  components: {},
};

/** Compiles what validates requests: for parameters, which arrive as text, and for bodies. Both fill in defaults. */
export function createRequestValidators(schemas: SharedSchemas) {
  const own = { ...options, schemas, allErrors: true, useDefaults: true, keywords: [spelling] };
  const forParameters = createRequestAjv(emptyDocument, { ...own, coerceTypes: true });
  // Not of responses: they may show what was stored before there was a limit.
  const forBodies = createRequestAjv(emptyDocument, {
    ...own,
    keywords: [spelling, maxBytes],
    discriminator: true,
  });
  const parser = new ParametersSchemaParser(forParameters, emptyDocument);
  return {
    forParameters: forParameters as Ajv2020,
    forBodies: forBodies as Ajv2020,
    /** The schema of an object with the parameters in `query`, `headers` and `params`, which are those of the path. */
    parametersSchema(parameters: readonly Parameter[]): OpenAPI.SchemaObject {
      const { query, headers, params } = parser.parse('', parameters as OpenAPIV3.ParameterObject[]);
      return { type: 'object', properties: { query, headers, params } as OpenAPI.SchemaObject['properties'] };
    },
  };
}

/** Compiles what validates responses. */
export function createResponseValidator(schemas: SharedSchemas): Ajv2020 {
  // Ajv then looks at the one schema of a union that the discriminator names: the page of events takes a fifth less CPU.
  return createResponseAjv(emptyDocument, { ...options, schemas, discriminator: true }) as Ajv2020;
}
