/** The served documents are valid, and say everything in words that generators of clients read. */
import { type Config, lintFromString, loadConfig } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentFaults } from '../../scripts/generate/document-faults.ts';
import { toOpenApi30 } from '../../scripts/generate/served/openapi-30.ts';
import { toPlainDocument } from '../../scripts/generate/served/plain-document.ts';
import { type Document, readDocument } from '../../src/http/validation/document.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';

interface Operation {
  parameters?: unknown[];
}
type Schemas = Record<string, { properties: Record<string, unknown> }>;
type Served = Document & { components: { schemas: Schemas } };

const leadId = { $ref: '#/components/parameters/LeadId' };

let app: TestApp;
let contract: Document;
let lintRules: Config;
let served: { '3.1.0': Served; '3.0.3': Served };

beforeAll(async () => {
  app = await startTestApp();
  contract = await readDocument();
  lintRules = await loadConfig({ configPath: 'redocly.yaml' });
  const origin = new TestClient(app.url);
  served = {
    '3.1.0': (await origin.get('/openapi.json').expect(200)).body,
    '3.0.3': (await origin.get('/openapi-3.0.json').expect(200)).body,
  };
});

afterAll(() => app.close());

describe.each(['3.1.0', '3.0.3'] as const)('the document of OpenAPI %s', (version) => {
  it('is valid OpenAPI', async () => {
    expect(served[version].openapi).toBe(version);
    expect(await documentFaults(served[version])).toEqual([]);
    expect(await documentFaults({ ...served[version], info: {} })).not.toEqual([]);
  });

  it('passes the linter', async () => {
    expect(await lint(served[version])).toEqual([]);
    const broken = { ...structuredClone(served[version]), paths: {} };
    Object.assign(broken.components.schemas.Lead?.properties ?? {}, { company: { nullable: true } });
    expect(await lint(broken)).toContainEqual(expect.stringContaining('Lead/properties/company'));
  });

  it('has the operations of the contract', () => {
    expect(operationIds(served[version])).toEqual(operationIds(contract));
  });

  it('repeats the parameters of a path in each of its operations', () => {
    const { paths = {} } = served[version];
    expect(contract.paths?.['/leads/{id}']?.parameters).toEqual([leadId]);
    expect(Object.keys(paths).filter((path) => paths[path]?.parameters)).toEqual([]);
    const item: Record<string, Operation> = Object(paths['/leads/{id}']);
    expect(Object.keys(item).toSorted()).toEqual(['delete', 'get', 'patch']);
    for (const { parameters } of Object.values(item)) expect(parameters).toContainEqual(leadId);
  });

  it('describes the defaults of a body in words, because generators take a default for a required field', () => {
    const withDefault = (document: Document) =>
      Object.entries((document as Served).components.schemas).flatMap(([name, { properties = {} }]) =>
        Object.entries(properties).flatMap(([field, schema]) =>
          Object(schema).default === undefined ? [] : [`${name}.${field}`],
        ),
      );
    expect(withDefault(contract)).toContain('CreateLead.status');
    expect(withDefault(served[version])).toEqual([]);
    for (const at of withDefault(contract)) {
      const [name = '', field = ''] = at.split('.');
      const { properties, description: ofObject } = Object(served[version].components.schemas[name]);
      const { $ref, description } = properties[field];
      // In 3.0, nothing can stand beside a reference.
      const own = new RegExp(`^- \`${field}\`: (.*)$`, 'm').exec(ofObject)?.[1];
      expect($ref && version === '3.0.3' ? own : description).toMatch(/\S Default: `.+`\.$/s);
    }
  });
});

it('a field with a default keeps its type', () => {
  const { description } = Object(contract.components?.schemas?.LeadStatus);
  const status = `${description} Default: \`new\`.`;
  const at = { $ref: '#/components/schemas/LeadStatus' };
  expect(served['3.1.0'].components.schemas.CreateLead?.properties.status).toEqual({
    ...at,
    description: status,
  });
  // In 3.0, nothing can stand beside a reference.
  const { properties, description: own } = Object(served['3.0.3'].components.schemas.CreateLead);
  expect(properties.status).toEqual(at);
  expect(own).toContain(`\n- \`status\`: ${status}\n`);
});

it('a schema of several types becomes one for each type', () => {
  const path = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } };
  const schema = { description: 'A rule.', maxLength: 9, pattern: '^/', ...path };
  const text = { type: 'string', maxLength: 9, pattern: '^/' };
  expect(plain({ ...schema, type: ['string', 'object'] })).toEqual({
    description: 'A rule.',
    anyOf: [text, path],
  });
  expect(plain({ ...schema, type: ['string', 'object', 'null'] })).toEqual({
    description: 'A rule.',
    anyOf: [
      { ...text, type: ['string', 'null'] },
      { ...path, type: ['object', 'null'] },
    ],
  });
  expect(plain({ type: ['string', 'null'] })).toEqual({ type: ['string', 'null'] });
});

it('an enum with null becomes a text with a pattern, or with known values if it can grow', () => {
  const schema = { type: ['string', 'null'], enum: ['hex', 'base64', null], description: 'A code.' };
  const text = { type: ['string', 'null'], description: 'A code.' };
  expect(plain(schema)).toEqual({ ...text, pattern: '^(hex|base64)$' });
  expect(plain({ ...schema, 'x-extensible-enum': true })).toEqual({
    ...text,
    'x-extensible-enum': ['hex', 'base64'],
  });
});

it('a pattern that languages read differently is left out', () => {
  expect(plain({ type: 'string', pattern: '[^\\p{C}\\p{Z}]', minLength: 1 })).toEqual({
    type: 'string',
    minLength: 1,
  });
  expect(plain({ pattern: '^\\+[1-9][0-9]{6,14}$' })).toEqual({ pattern: '^\\+[1-9][0-9]{6,14}$' });
  expect(plain({ pattern: '^\\d+$' })).toEqual({});
  expect(plain({ pattern: '^(?!a)' })).toEqual({});
});

it('an order gets names that code can have', () => {
  expect(plain({ type: 'string', enum: ['created_at', '-created_at'] })).toEqual({
    type: 'string',
    enum: ['created_at', '-created_at'],
    'x-enum-varnames': ['CreatedAt', 'CreatedAtDescending'],
  });
});

it('an object with names by pattern becomes a map, whose description names the fields', () => {
  const patternProperties = { '^metadata\\.': { type: 'string' } };
  const properties = { name: { type: 'string' }, tags: { type: 'array' } };
  const schema = { description: 'Rules.', properties, required: ['name'], patternProperties };
  expect(plain({ ...schema, type: 'object', additionalProperties: false })).toEqual({
    type: 'object',
    description: 'Rules.\n\nFields: `name` (required), `tags`.',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array' }] },
  });
  expect(plain({ patternProperties, description: 'Texts.' })).toEqual({
    description: 'Texts.',
    additionalProperties: { type: 'string' },
  });
});

it('features of 3.1 become their equivalents in 3.0', () => {
  expect(in30({ type: ['string', 'null'], examples: ['a', null] })).toEqual({
    type: 'string',
    nullable: true,
    example: 'a',
  });
  expect(in30({ propertyNames: {}, additionalProperties: true })).toEqual({ additionalProperties: true });
  expect(in30({ properties: { type: { type: 'string' }, examples: { examples: [1] } } })).toEqual({
    properties: { type: { type: 'string' }, examples: { example: 1 } },
  });
  expect(() => in30({ type: ['string', 'integer'] })).toThrow('several types');
});

it('a choice between types becomes any value in 3.0', () => {
  const anyOf = [{ type: 'string' }, { type: 'array', items: {} }];
  expect(in30({ description: 'A rule.', anyOf })).toEqual({ description: 'A rule.' });
  const references = [{ $ref: '#/components/schemas/Sample' }, { $ref: '#/components/schemas/Sample' }];
  expect(in30({ anyOf: references })).toEqual({ anyOf: references });
});

it('an order says its default in words in 3.0, where Kotlin would look for a constant of that name', () => {
  const order = { type: 'string', enum: ['-a'], 'x-enum-varnames': ['ADescending'] };
  expect(in30({ ...order, description: 'An order.', default: '-a' })).toEqual({
    ...order,
    description: 'An order. Default: `-a`.',
  });
  expect(in30({ type: 'string', enum: ['a'], default: 'a' })).toMatchObject({ default: 'a' });
});

it('a map whose values are of several types or null takes any value in 3.0', () => {
  const values = {
    description: 'A rule.',
    anyOf: [{ type: ['string', 'null'] }, { type: ['object', 'null'] }],
  };
  expect(in30({ type: 'object', description: 'Rules.', additionalProperties: values })).toEqual({
    type: 'object',
    description: 'Rules.\n\nA rule.',
    additionalProperties: true,
  });
});

it('an API key has no scopes in 3.0, where only OAuth has', () => {
  const listLeads = served['3.0.3'].paths?.['/leads']?.get;
  expect(listLeads?.security).toEqual([{ oauth2: ['leads:read'] }, { apiKey: [] }]);
});

it('data stay as they are', () => {
  const data = { default: { type: ['null'] }, enum: [{ const: 1 }], example: { const: 1, examples: [2] } };
  expect(plain(data)).toEqual(data);
  expect(in30(data)).toEqual(data);
});

function plain(schema: object): unknown {
  return sampleOf(toPlainDocument(documentOf(schema)));
}

function in30(schema: object): unknown {
  return sampleOf(toOpenApi30(documentOf(schema)));
}

/** One operation, whose answer is of this schema. */
function documentOf(schema: object): Document {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Sample' } } };
  const get = { responses: { 200: { description: 'A sample.', content } } };
  return {
    ...contract,
    paths: { '/sample': { get } },
    components: { schemas: { ...contract.components?.schemas, Sample: schema } },
  };
}

function sampleOf({ components }: object & { components?: unknown }): unknown {
  return (components as { schemas: Record<string, unknown> }).schemas.Sample;
}

function operationIds(document: Document): string[] {
  return Object.values(document.paths ?? {}).flatMap((item) =>
    Object.values(item ?? {}).flatMap((member) => Object(member).operationId ?? []),
  );
}

async function lint(document: object): Promise<string[]> {
  const problems = await lintFromString({ source: JSON.stringify(document), config: lintRules });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`);
}
