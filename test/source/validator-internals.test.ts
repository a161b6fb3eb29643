/** What validators.ts relies on in express-openapi-validator, whose parts are not documented and may change in any release. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SharedSchemas } from '../../src/http/validation/schemas.ts';
import { createRequestValidators, createResponseValidator } from '../../src/http/validation/validators.ts';

const NAME = 'express-openapi-validator';
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const schemas: SharedSchemas = {
  'schema:Thing': {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      color: { type: 'string', default: 'red' },
      count: { type: 'integer', format: 'int32' },
      made_on: { type: 'string', format: 'date' },
    },
  },
};
const thing = { $ref: 'schema:Thing' };

it('only validators.ts imports the package, in the exact version whose code was read', () => {
  const importing = globSync('{src,scripts}/**/*.ts').filter((path) =>
    readFileSync(path, 'utf8').includes(`from '${NAME}`),
  );
  expect(importing).toEqual(['src/http/validation/validators.ts']);
  expect(read('package.json').dependencies[NAME]).toBe(read(`node_modules/${NAME}/package.json`).version);
});

it('createRequestAjv() compiles schemas of 3.1, with our formats and keywords and with defaults', () => {
  const isValid = createRequestValidators(schemas).forBodies.compile(thing);
  const body = { name: 'One', made_on: '2026-11-25' };
  expect(isValid(body)).toBe(true);
  expect(body).toHaveProperty('color', 'red');
  expect(isValid({ name: 1, made_on: '2026-11-31' })).toBe(false);
  expect(isValid.errors?.map(({ instancePath }) => instancePath)).toEqual(['/name', '/made_on']);
});

it('createRequestAjv() coerces parameters only', () => {
  const { forParameters, forBodies } = createRequestValidators(schemas);
  const given = { name: 'One', count: '5' };
  expect(forBodies.compile(thing)(given)).toBe(false);
  expect(forParameters.compile(thing)(given)).toBe(true);
  expect(given.count).toBe(5);
});

it('ParametersSchemaParser makes one schema for the parameters of each place', () => {
  const { parametersSchema } = createRequestValidators(schemas);
  const text = { type: 'string' } as const;
  const made = parametersSchema([
    { name: 'id', in: 'path', required: true, schema: text },
    { name: 'If-Match', in: 'header', required: false, schema: text },
    { name: 'page', in: 'query', required: false, schema: { type: 'integer', default: 1 } },
  ]);
  expect(made.properties).toEqual({
    params: { type: 'object', properties: { id: text }, required: ['id'] },
    headers: { type: 'object', properties: { 'if-match': text } },
    query: { type: 'object', properties: { page: { type: 'integer', default: 1 } } },
  });
});

it('createResponseAjv() neither coerces nor fills in defaults', () => {
  const isValid = createResponseValidator(schemas).compile(thing);
  const body = { name: 'One' };
  expect(isValid(body)).toBe(true);
  expect(body).toEqual({ name: 'One' });
  expect(isValid({ name: 'One', count: '5' })).toBe(false);
});
