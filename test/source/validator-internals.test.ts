/**
 * src/http/validation uses internals of express-openapi-validator, which may change in any release. Its version is pinned,
 * and this file names every internal that is relied on. After an update, a failure says which code to read again.
 */
import { globSync, readFileSync } from 'node:fs';
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import type {
  OpenAPIV3,
  OpenApiRequest,
  ValidateResponseOpts,
} from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { expect, it, vi } from 'vitest';
import { withoutParts } from '../../src/http/validation/prepared-document.ts';

/** The version whose code was read. */
const VERSION = '5.6.2';

/** The files of dist/ that are imported, with what is relied on. */
const reliedOn = {
  'openapi.validator.js': 'OpenApiValidator has `options` and `ajvOpts`, which it makes from its options',
  'framework/openapi.schema.validator.js': 'OpenAPISchemaValidator.validate() gives the errors of a document',
  'framework/types.js': 'types only, so the compiler checks them',
  'middlewares/parsers/schema.preprocessor.js':
    'SchemaPreprocessor.preProcess() makes of its `apiDoc` one document for requests, another for responses, asks its ' +
    '`ajv` only for getSchema() and compile(), and changes schemas with a `format` only if its `serDesMap` has it',
  'middlewares/openapi.request.validator.js':
    'RequestValidator.validate() needs only `openapi` and plain fields of a request, changes its query and body in place, ' +
    'compiles once per method, expressRoute and Content-Type, and throws `errors` with path, message and errorCode',
  'middlewares/openapi.response.validator.js':
    'ResponseValidator._getOrBuildValidator() gives functions by status and media type, compiled once per method, ' +
    'expressRoute and Content-Type; _validate() throws for a body that breaks its schema, and accepts a missing one',
} as const;

/** The sentence of a failure. */
function lookAt(file: keyof typeof reliedOn): string {
  return `express-openapi-validator/dist/${file} has changed. ${reliedOn[file]}: read it and the files of src/http/validation that import it again.`;
}

const document = {
  openapi: '3.1.0',
  info: { title: 'Example', version: '1' },
  paths: {
    '/things/{id}': {
      post: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } },
          {
            name: 'types',
            in: 'query',
            style: 'form',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses: {
          200: {
            description: 'The thing.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          204: { description: 'Nothing.' },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          color: { type: 'string', default: 'red' },
          made_at: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
} as unknown as OpenAPIV3.DocumentV3_1;

const { options, ajvOpts } = new OpenApiValidator({
  apiSpec: structuredClone(document),
  validateRequests: { allErrors: true },
  validateResponses: true,
});

function load() {
  const apiDoc = structuredClone(document);
  const preprocessor = new SchemaPreprocessor(
    withoutParts(apiDoc),
    { ...ajvOpts.preprocessor, serDesMap: {} },
    options.validateResponses as ValidateResponseOpts,
  );
  Object.assign(preprocessor, { apiDoc });
  return preprocessor.preProcess();
}

async function validateRequest(query: object, body: object, validator?: RequestValidator) {
  const { apiDoc } = load();
  const requests = validator ?? new RequestValidator(apiDoc, ajvOpts.request);
  const schema = apiDoc.paths?.['/things/{id}']?.post;
  const openapi = {
    expressRoute: '/things/{id}',
    openApiRoute: '/things/{id}',
    pathParams: { id: '1' },
    schema,
  };
  const headers = { 'content-type': 'application/json' };
  const request = { openapi, method: 'POST', path: '', originalUrl: '', headers, query, params: {}, body };
  const next = vi.fn();
  requests.validate(request as unknown as OpenApiRequest, {} as never, next);
  return { request, next };
}

async function responseValidators() {
  const { apiDocRes } = load();
  const responses = new ResponseValidator(apiDocRes, ajvOpts.response, {}, 1);
  const documented = apiDocRes.paths?.['/things/{id}']?.post?.responses as OpenAPIV3.ResponsesObject;
  const key = { method: 'getThing', openapi: { expressRoute: '200' }, headers: {} };
  const validators = () => responses._getOrBuildValidator(key as unknown as OpenApiRequest, documented);
  return { responses, validators };
}

it('is pinned to the version whose internals were read', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const name = 'express-openapi-validator';
  const list = Object.entries(reliedOn).map(([file, what]) => `  dist/${file}: ${what}`);
  const sentence = `${name} is not at ${VERSION}. Read the code of the new version for what is relied on, then set VERSION:\n${list.join('\n')}\n`;
  expect(read('package.json').dependencies[name], sentence).toBe(VERSION);
  expect(read('package-lock.json').packages[''].dependencies[name], sentence).toBe(VERSION);
  expect(read(`node_modules/${name}/package.json`).version, sentence).toBe(VERSION);
});

it('every file of dist/ that is imported is named here', () => {
  const imported = globSync('{src,scripts,test}/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/from 'express-openapi-validator\/dist\/(.+)'/g)].map(
      ([, file]) => file,
    ),
  );
  expect([...new Set(imported)].sort()).toEqual(Object.keys(reliedOn).sort());
});

it('OpenApiValidator', () => {
  const sentence = lookAt('openapi.validator.js');
  expect(options.validateResponses, sentence).toMatchObject({ removeAdditional: false, coerceTypes: false });
  for (const use of ['preprocessor', 'request', 'response'] as const) {
    expect(ajvOpts[use], sentence).toMatchObject({ strict: false });
  }
  expect(ajvOpts.request, sentence).toMatchObject({ allErrors: true, useDefaults: true });
});

it('OpenAPISchemaValidator', () => {
  const sentence = lookAt('framework/openapi.schema.validator.js');
  const validator = new OpenAPISchemaValidator({ version: '3.1.0', validateApiSpec: true });
  expect(validator.validate(document).errors, sentence).toEqual([]);
  const untitled = { ...document, info: { version: '1' } } as never;
  expect(validator.validate(untitled).errors, sentence).toContainEqual(
    expect.objectContaining({ instancePath: '/info', message: expect.stringContaining('title') }),
  );
});

it('SchemaPreprocessor', () => {
  const { apiDoc, apiDocRes } = load();
  const sentence = lookAt('middlewares/parsers/schema.preprocessor.js');
  expect(apiDocRes, sentence).not.toBe(apiDoc);
  for (const each of [apiDoc, apiDocRes]) {
    expect(each.paths, sentence).toHaveProperty('/things/{id}');
    expect(each.components?.schemas, sentence).toEqual(document.components?.schemas);
  }
});

it('RequestValidator', async () => {
  const sentence = lookAt('middlewares/openapi.request.validator.js');
  const { request, next } = await validateRequest({ types: 'a,b' }, { name: 'One' });
  expect(next, sentence).toHaveBeenCalledOnce();
  expect(request.query, sentence).toEqual({ limit: 20, types: ['a', 'b'] });
  expect(request.body, sentence).toEqual({ name: 'One', color: 'red' });

  await expect(validateRequest({ limit: 'x', other: '1' }, {}), sentence).rejects.toThrow();
  await expect(validateRequest({ other: '1' }, { name: 'One' }), sentence).rejects.toMatchObject({
    errors: [{ path: '/query/other', message: expect.stringMatching(/^Unknown query parameter/) }],
  });
  await expect(validateRequest({ limit: 'x' }, { name: 1 }), sentence).rejects.toMatchObject({
    errors: [
      { path: '/query/limit', message: 'must be integer', errorCode: 'type.openapi.validation' },
      { path: '/body/name', message: 'must be string', errorCode: 'type.openapi.validation' },
    ],
  });
});

it('RequestValidator compiles once', async () => {
  const requests = new RequestValidator(load().apiDoc, ajvOpts.request);
  const build = vi.spyOn(requests as unknown as { buildMiddleware(): void }, 'buildMiddleware');
  for (let count = 0; count < 2; count += 1) await validateRequest({}, { name: 'One' }, requests);
  expect(build, lookAt('middlewares/openapi.request.validator.js')).toHaveBeenCalledOnce();
});

it('ResponseValidator', async () => {
  const sentence = lookAt('middlewares/openapi.response.validator.js');
  const { responses, validators } = await responseValidators();
  expect(validators(), sentence).toBe(validators());
  const byStatus = validators() as unknown as Record<string, Record<string, (data: object) => boolean>>;
  const validate = byStatus[200]?.['application/json'];
  expect(validate?.({ response: { name: 'One' } }), sentence).toBe(true);
  expect(validate?.({ response: { name: 1 } }), sentence).toBe(false);

  const answer = (statusCode: number, body: unknown) => () =>
    responses._validate({
      validators: validators(),
      body: body as object,
      statusCode,
      path: '/things/1',
      accepts: [],
    });
  expect(answer(200, { name: 'One' }), sentence).not.toThrow();
  expect(answer(200, { name: 1 }), sentence).toThrow('/response/name must be string');
  expect(answer(200, undefined), sentence).toThrow('response body required');
  expect(answer(201, undefined), sentence).toThrow("no schema defined for status code '201'");
  expect(answer(204, undefined), sentence).not.toThrow();
  expect(answer(204, { name: 'One' }), sentence).toThrow('response should NOT have a body');
});
