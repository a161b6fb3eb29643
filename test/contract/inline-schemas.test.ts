import { describe, expect, it } from 'vitest';
import { inlineSchemas } from '../../scripts/generate/inline-schemas.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('what gets no class in clients', () => {
  it.each([
    ['a text that several fields use', text, 2],
    ['a list that several fields use', { type: 'array', items: text }, 2],
    ['a choice that one field uses', { ...text, enum: ['a', 'b'] }, 1],
    ['a map that one field uses', { type: 'object', additionalProperties: text }, 1],
  ])('%s is written out', (_, schema, uses) => {
    const { Lead, ...others } = documentWith('Shared', schema, uses);
    expect(others).toEqual({});
    expect(Lead.properties.first).toEqual(schema);
  });

  it('is an object named like the one field that uses it', () => {
    const schema = { type: 'object', properties: { name: text } };
    expect(documentWith('LeadFirst', schema, 1)).toEqual({
      Lead: { type: 'object', properties: { first: schema } },
    });
  });

  it('keeps what stands beside the reference', () => {
    const { Lead } = documentWith('Shared', { ...text, description: 'A text.' }, 1, { description: 'Own.' });
    expect(Lead.properties.first).toEqual({ ...text, description: 'Own.' });
  });
});

it.each([
  ['an object with another name', 'Address', { type: 'object', properties: { name: text } }, 1],
  ['an object that several fields use', 'LeadFirst', { type: 'object', properties: { name: text } }, 2],
  ['a choice that several fields use', 'Shared', { ...text, enum: ['a', 'b'] }, 2],
  ['an order', 'LeadOrder', { ...text, enum: ['name', '-name'] }, 1],
  ['a map that several fields use', 'Shared', { type: 'object', additionalProperties: text }, 2],
])('%s has a class', (_, name, schema, uses) => {
  const schemas = documentWith(name, schema, uses);
  expect(schemas[name]).toEqual(schema);
  expect(schemas.Lead.properties.first).toEqual(ref(name));
});

/** The schemas of a document in which a lead has as many fields that use the schema. */
function documentWith(name: string, schema: object, uses: number, beside = {}) {
  const fields = ['first', 'second'].slice(0, uses).map((field) => [field, { ...ref(name), ...beside }]);
  const Lead = { type: 'object', properties: Object.fromEntries(fields) };
  const get = {
    responses: { 200: { description: '', content: { 'application/json': { schema: ref('Lead') } } } },
  };
  const { components } = inlineSchemas({
    openapi: '3.1.0',
    info: { title: '', version: '1' },
    paths: { '/leads': { get } },
    components: { schemas: { Lead, [name]: schema } },
    // biome-ignore lint/suspicious/noExplicitAny: the document is a small part of one
  } as any);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return components?.schemas as any;
}
