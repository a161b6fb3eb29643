import { expect, test } from 'vitest';
import { expandFile } from '../../scripts/generate/shorthand/expand-file.ts';

test('an envelope has one resource, or a page of them', () => {
  const schemas = {
    LeadResponse: { description: 'A single lead.', 'x-envelope': 'Lead' },
    LeadListResponse: { description: 'A page of leads.', 'x-envelope': ['Lead'] },
    ReportResponse: {
      description: 'The report.',
      'x-envelope': ['Row'],
      'x-items': 'The rows.',
      'x-max-items': 1000,
      'x-meta': 'ReportMeta',
    },
  };
  const lead = { $ref: '#/components/schemas/Lead' };

  expect(expandFile({ components: { schemas } })).toMatchObject({
    components: {
      schemas: {
        LeadResponse: {
          type: 'object',
          description: 'A single lead.',
          required: ['data'],
          properties: { data: lead },
        },
        LeadListResponse: {
          additionalProperties: false,
          required: ['data', 'meta'],
          properties: {
            data: { type: 'array', maxItems: 100, description: 'The leads on this page.', items: lead },
            meta: { $ref: './common.yaml#/components/schemas/ListMeta' },
          },
        },
        ReportResponse: {
          properties: {
            data: { maxItems: 1000, description: 'The rows.' },
            meta: { $ref: '#/components/schemas/ReportMeta' },
          },
        },
      },
    },
  });
});

test('an order has both directions of each field', () => {
  expect(expandedSchema({ 'x-order': ['created_at', 'name'] })).toEqual({
    type: 'string',
    description: 'A field to sort by. A leading `-` means descending.',
    enum: ['created_at', '-created_at', 'name', '-name'],
    default: '-created_at',
  });
});

test('an id has the pattern and the example of its prefix', () => {
  expect(
    expandedSchema({ 'x-id': ['lead', 'contact'], type: ['string', 'null'], description: 'Whose.' }),
  ).toEqual({
    type: ['string', 'null'],
    maxLength: 34,
    pattern: '^(lead|contact)_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    description: 'Whose.',
    examples: ['lead_01m7w4n5e0e3tajy9kep34bze2'],
  });
  expect(expandedSchema({ 'x-sent-id': ['client', 'hook'] })).toMatchObject({
    'x-message': 'must be the id of a client or hook, such as client_01m7w4n5e0e0vbbhcpvg4zwf73',
  });
  expect(() => expandedSchema({ 'x-id': 'nothing' })).toThrow(/no example of an id with the prefix nothing/);
});

test('an object requires all fields and allows no others, an integer has 32 bits from 0, an instant 24 characters', () => {
  const properties = { total: { type: 'integer' }, at: { type: 'string', format: 'date-time' } };

  expect(expandedSchema({ description: 'A count.', properties })).toEqual({
    type: 'object',
    description: 'A count.',
    additionalProperties: false,
    required: ['total', 'at'],
    properties: {
      total: { type: 'integer', format: 'int32', minimum: 0 },
      at: { type: 'string', maxLength: 24, format: 'date-time' },
    },
  });
  expect(expandedSchema({ required: [], properties })).not.toHaveProperty('required');
  expect(expandedSchema({ type: 'integer', format: 'int64', minimum: 1 })).toEqual({
    type: 'integer',
    format: 'int64',
    minimum: 1,
  });
  expect(expandedSchema({ type: 'string', 'x-visible': true, maxLength: 50 })).toMatchObject({
    minLength: 1,
    maxLength: 50,
    pattern: '[^\\p{C}\\p{Z}]',
  });
});

function expandedSchema(schema: object): object | undefined {
  const { components } = expandFile({ components: { schemas: { Lead: schema } } }) as {
    components: { schemas: Record<string, object> };
  };
  return components.schemas.Lead;
}
