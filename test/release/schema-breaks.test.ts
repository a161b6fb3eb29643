/** Which changes of a schema break requests, and which break responses. */
import { describe, expect, it } from 'vitest';
import { type Schema, schemaBreaks } from '../../scripts/release/schema-breaks.ts';

type Case = [kind: string, before: Schema, after: Schema];

/** Each is a break in what clients send; the other way round it widens. */
const narrowing: [...Case, message: string][] = [
  ['a type', { type: ['string', 'null'] }, { type: 'string' }, 'no longer accepts the type null'],
  ['number to integer', { type: 'number' }, { type: 'integer' }, 'no longer accepts the type number'],
  ['any type to one', {}, { type: 'string' }, 'no longer accepts the type any'],
  ['enum', { enum: ['a', 'b'] }, { enum: ['a'] }, 'no longer accepts b'],
  ['a first enum', { type: 'string' }, { type: 'string', enum: ['a'] }, 'no longer accepts any value'],
  ['const', { enum: ['a', 'b'] }, { const: 'a' }, 'no longer accepts b'],
  ['minimum', { minimum: -5 }, { minimum: 0 }, 'has the minimum 0 now, not -5'],
  ['a first minimum', {}, { minimum: 0 }, 'has the minimum 0 now, not any'],
  ['exclusiveMinimum', {}, { exclusiveMinimum: 0 }, 'has the exclusiveMinimum 0 now, not any'],
  ['maximum', { maximum: 100 }, { maximum: 50 }, 'has the maximum 50 now, not 100'],
  ['exclusiveMaximum', {}, { exclusiveMaximum: 9 }, 'has the exclusiveMaximum 9 now, not any'],
  ['minLength', { minLength: 1 }, { minLength: 2 }, 'has the minLength 2 now, not 1'],
  ['maxLength', { maxLength: 200 }, { maxLength: 100 }, 'has the maxLength 100 now, not 200'],
  ['minItems', {}, { minItems: 1 }, 'has the minItems 1 now, not any'],
  ['maxItems', { maxItems: 20 }, { maxItems: 10 }, 'has the maxItems 10 now, not 20'],
  ['minProperties', {}, { minProperties: 1 }, 'has the minProperties 1 now, not any'],
  ['maxProperties', {}, { maxProperties: 1 }, 'has the maxProperties 1 now, not any'],
  ['bytes', { 'x-max-bytes': 2 }, { 'x-max-bytes': 1 }, 'has the x-max-bytes 1 now, not 2'],
  ['pattern', {}, { pattern: '^a' }, 'has the pattern ^a now, not any'],
  ['multipleOf', {}, { multipleOf: 10 }, 'has the multipleOf 10 now, not any'],
  ['uniqueItems', {}, { uniqueItems: true }, 'has the uniqueItems true now, not any'],
  [
    'items',
    { items: { type: ['string', 'null'] } },
    { items: { type: 'string' } },
    '[] no longer accepts the type null',
  ],
  [
    'first items',
    { type: 'array' },
    { type: 'array', items: { maximum: 5 } },
    '[] has the maximum 5 now, not any',
  ],
  [
    'unknown fields',
    { type: 'object' },
    { type: 'object', additionalProperties: false },
    'refuses unknown fields now',
  ],
  [
    'values of a map',
    { additionalProperties: { maxLength: 9 } },
    { additionalProperties: { maxLength: 5 } },
    '* has the maxLength 5 now, not 9',
  ],
  [
    'values of a map by pattern',
    { patternProperties: { '^x': { maxLength: 9 } } },
    { patternProperties: { '^x': { maxLength: 5 } } },
    '^x has the maxLength 5 now, not 9',
  ],
  [
    'names of a map',
    { propertyNames: { maxLength: 9 } },
    { propertyNames: { maxLength: 5 } },
    '(names) has the maxLength 5 now, not 9',
  ],
  [
    'a first rule for names',
    {},
    { propertyNames: { maxLength: 5 } },
    '(names) has the maxLength 5 now, not any',
  ],
  [
    'a field within a field',
    { properties: { a: { properties: { b: { maxLength: 9 } } } } },
    { properties: { a: { properties: { b: { maxLength: 5 } } } } },
    'a.b has the maxLength 5 now, not 9',
  ],
  [
    'an alternative',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { type: 'string' },
    'no longer accepts the type null',
  ],
  [
    'one of oneOf',
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
    { oneOf: [{ type: 'string' }] },
    'no longer accepts the type null',
  ],
  ['a part of allOf', {}, { allOf: [{ maxLength: 5 }] }, 'has the maxLength 5 now, not any'],
  ['required', { properties: { a: {} } }, { properties: { a: {} }, required: ['a'] }, 'a is required now'],
  ['a new required field', {}, { properties: { a: {} }, required: ['a'] }, 'a is required now'],
];

describe('in a request', () => {
  it.each(narrowing)('finds narrowed: %s', (_, before, after, message) => {
    expect(schemaBreaks(before, after, 'client')).toEqual([message]);
  });

  it.each(narrowing.filter(([kind]) => kind !== 'a new required field'))(
    'lets widen: %s',
    (_, before, after) => {
      expect(schemaBreaks(after, before, 'client')).toEqual([]);
    },
  );

  it('allows new unknown fields', () => {
    const [before, after] = [{ additionalProperties: false }, { additionalProperties: { type: 'string' } }];
    expect(schemaBreaks(before, after, 'client')).toEqual([]);
  });

  it('finds a removed field, a changed default and a changed format', () => {
    expect(schemaBreaks({ properties: { a: {}, b: {} } }, { properties: { b: {} } }, 'client')).toEqual([
      'a is removed',
    ]);
    expect(schemaBreaks({ default: 1 }, { default: 2 }, 'client')).toEqual(['has the default 2 now, not 1']);
    expect(schemaBreaks({ format: 'date' }, { format: 'uuid' }, 'client')).toEqual([
      'has the format uuid now, not date',
    ]);
  });
});

/** Each is a break in what the service sends; the other way round it narrows. */
const widening: [...Case, message: string][] = [
  ['a type', { type: 'string' }, { type: ['string', 'null'] }, 'may have the type null now'],
  ['integer to number', { type: 'integer' }, { type: 'number' }, 'may have the type number now'],
  ['one type to any', { type: 'string' }, {}, 'may have the type any now'],
  ['enum', { enum: ['a'] }, { enum: ['a', 'b'] }, 'may be b now'],
  ['no enum', { type: 'string', enum: ['a'] }, { type: 'string' }, 'may be any value now'],
  ['const', { const: 'a' }, { enum: ['a', 'b'] }, 'may be b now'],
  ['items', { items: { enum: [1] } }, { items: { enum: [1, 2] } }, '[] may be 2 now'],
  ['items to any', { items: { type: 'string' } }, {}, '[] may have the type any now'],
  [
    'values of a map to any',
    { additionalProperties: { type: 'string' } },
    { additionalProperties: true },
    '* may have the type any now',
  ],
  [
    'values of a map',
    { additionalProperties: { type: 'string' } },
    { additionalProperties: { type: ['string', 'integer'] } },
    '* may have the type integer now',
  ],
  [
    'an alternative',
    { type: 'string' },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    'may have the type null now',
  ],
  [
    'required',
    { properties: { a: {} }, required: ['a'] },
    { properties: { a: {} } },
    'a is no longer required',
  ],
];

describe('in a response', () => {
  it.each(widening)('finds widened: %s', (_, before, after, message) => {
    expect(schemaBreaks(before, after, 'service')).toEqual([message]);
  });

  it.each(widening)('lets narrow: %s', (_, before, after) => {
    expect(schemaBreaks(after, before, 'service')).toEqual([]);
  });

  it('finds a removed field, even an optional one, and a changed format', () => {
    expect(schemaBreaks({ properties: { a: {} } }, {}, 'service')).toEqual(['a is removed']);
    expect(schemaBreaks({ format: 'date' }, {}, 'service')).toEqual(['has the format none now, not date']);
  });

  it('lets unknown fields go', () => {
    const [before, after] = [{ additionalProperties: { type: 'string' } }, { additionalProperties: false }];
    expect(schemaBreaks(before, after, 'service')).toEqual([]);
  });

  it('lets bounds and patterns change, and fields come', () => {
    const before = { maxLength: 5, pattern: '^a', properties: {} };
    expect(schemaBreaks(before, { maxLength: 9, properties: { a: { type: 'string' } } }, 'service')).toEqual(
      [],
    );
  });

  it('allows an extensible enum to grow', () => {
    const before = { enum: ['a'], 'x-extensible-enum': true };
    expect(schemaBreaks(before, { ...before, enum: ['a', 'b'] }, 'service')).toEqual([]);
    const open = { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string' }] };
    const grown = { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'string' }] };
    expect(schemaBreaks(open, grown, 'service')).toEqual([]);
  });

  it('lets a union grow that has a discriminator, and compares each kind with itself', () => {
    const kind = (name: string, own: Schema) => ({
      properties: { type: { const: name }, data: own },
      required: ['type'],
    });
    const union = (...oneOf: Schema[]) => ({ discriminator: { propertyName: 'type' }, oneOf });
    const before = union(kind('created', { type: 'string' }), kind('deleted', { type: 'integer' }));
    const grown = union(...before.oneOf, kind('merged', { type: 'boolean' }));
    expect(schemaBreaks(before, grown, 'service')).toEqual([]);
    const broken = union(kind('created', { type: 'integer' }), kind('deleted', { type: 'integer' }));
    expect(schemaBreaks(before, broken, 'service')).toEqual(['data may have the type integer now']);
  });
});
