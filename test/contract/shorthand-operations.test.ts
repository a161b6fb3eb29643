import { expect, test } from 'vitest';
import { expandFile } from '../../scripts/generate/shorthand/expand-file.ts';
import { leftovers } from '../../scripts/generate/shorthand/leftovers.ts';

test('x-scopes becomes a requirement for a token or an API key', () => {
  expect(expandedOperation({ 'x-scopes': ['leads:read'] })).toEqual({
    security: [{ oauth2: ['leads:read'] }, { apiKey: ['leads:read'] }],
  });
  expect(expandedOperation({ 'x-scopes': [] })).toEqual({ security: [{ oauth2: [] }, { apiKey: [] }] });
  expect(expandedOperation({ 'x-scopes': [['leads:read'], ['contacts:read']] })).toEqual({
    security: [
      { oauth2: ['leads:read'] },
      { apiKey: ['leads:read'] },
      { oauth2: ['contacts:read'] },
      { apiKey: ['contacts:read'] },
    ],
  });
});

test('an operation has the tag of its file, a rate-limit class by its method, and a chapter', () => {
  const described = {
    operationId: 'listLeads',
    'x-guide': { 'lists#pages': 'Pages' },
    'x-scopes': [],
    responses: {},
  };
  const file = {
    'x-tag': 'Leads',
    paths: { '/leads': { get: described, post: { ...described, tags: ['Notes'] } } },
  };

  expect(expandFile(file)).toMatchObject({
    paths: {
      '/leads': {
        get: {
          tags: ['Leads'],
          'x-rate-limit': 'read',
          externalDocs: { description: 'Pages', url: '/guides/lists#pages' },
        },
        post: { tags: ['Notes'], 'x-rate-limit': 'write' },
      },
    },
  });
});

const etag = { headers: { ETag: {} } };

test.each([
  ['get', { 200: etag }, {}, ['IfNoneMatch']],
  ['get', { 200: {} }, {}, []],
  ['post', { 201: etag }, {}, ['IdempotencyKey', 'DryRun', 'ActingUser']],
  ['post', { 202: { headers: { ETag: {} } } }, {}, ['IdempotencyKey', 'IfMatch', 'DryRun', 'ActingUser']],
  ['post', { 202: { headers: { ETag: {}, Location: {} } } }, {}, ['IdempotencyKey', 'DryRun', 'ActingUser']],
  ['post', { 202: {} }, { parameters: [{ name: 'dry_run' }] }, ['IdempotencyKey', 'ActingUser']],
  ['post', { 200: etag }, {}, ['IdempotencyKey', 'IfMatch', 'DryRun', 'ActingUser']],
  ['patch', { 200: etag }, {}, ['IdempotencyKey', 'IfMatch', 'DryRun', 'ActingUser']],
  [
    'patch',
    { 200: etag, 201: etag },
    {},
    ['IdempotencyKey', 'IfMatch', 'IfNoneMatchToCreate', 'DryRun', 'ActingUser'],
  ],
  ['delete', { 204: {} }, {}, ['IfMatch', 'DryRun', 'ActingUser']],
  ['post', { 200: {} }, { 'x-scopes': ['leads:read'] }, []],
  ['post', { 200: {} }, { 'x-stores-nothing': true }, []],
  ['post', { 201: etag }, { 'x-no-idempotency-key': true }, ['DryRun', 'ActingUser']],
])('a %s that answers %j, with %j, takes the headers %j', (method, responses, more, names) => {
  const { parameters = [] } = expandedOperation(
    { operationId: 'anOperation', 'x-scopes': ['leads:write'], responses, ...more },
    method,
  ) as { parameters?: { $ref?: string }[] };

  const headers = parameters.flatMap(({ $ref = '' }) => $ref.split('#/components/parameters/')[1] ?? []);
  expect(headers).toEqual(names);
});

test('a response or body says directly what its JSON is', () => {
  const short = {
    description: 'The lead.',
    headers: ['ETag'],
    schema: 'LeadResponse',
    examples: { lead: 'Lead' },
  };
  const requestBody = {
    description: 'The change.',
    schema: 'UpdateLead',
    example: { status: 'won' },
    'x-merge-patch-example': { status: 'lost' },
  };
  const csv = { description: 'The report.', example: {}, content: { 'text/csv': {} } };
  const operation = expandedOperation(
    {
      requestBody,
      responses: { 200: short, 201: csv, 204: { description: 'Done.' } },
    },
    'post',
  );

  const schema = { $ref: '#/components/schemas/UpdateLead' };
  expect(operation).toEqual({
    requestBody: {
      description: 'The change.',
      required: true,
      content: {
        'application/json': { schema, example: { status: 'won' } },
        'application/merge-patch+json': { schema, example: { status: 'lost' } },
      },
    },
    responses: {
      200: {
        description: 'The lead.',
        headers: { ETag: { $ref: './common.yaml#/components/headers/ETag' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/LeadResponse' },
            examples: { lead: { $ref: '#/components/examples/Lead' } },
          },
        },
      },
      201: { description: 'The report.', content: { 'application/json': { example: {} }, 'text/csv': {} } },
      204: { description: 'Done.' },
    },
  });
});

test('names in parameters are components of the file or of common.yaml', () => {
  const { paths } = expandFile({
    'x-lists': { Lead: ['StatusFilter', 'CreatedRange'] },
    paths: { '/leads': { get: { 'x-list': 'Lead' } }, '/leads/export': { get: { 'x-export': 'Lead' } } },
    components: { parameters: { StatusFilter: { name: 'status' } } },
  }) as { paths: Record<string, { get: { parameters: { $ref: string }[] } }> };
  const refs = (path: string) =>
    paths[path]?.get.parameters.map(({ $ref }) => $ref.replace('components/parameters/', ''));
  const filters = ['#/StatusFilter', './common.yaml#/CreatedFrom', './common.yaml#/CreatedTo'];

  expect(refs('/leads/export')).toEqual(filters);
  expect(refs('/leads')).toEqual([
    './common.yaml#/Page',
    './common.yaml#/PerPage',
    './common.yaml#/Cursor',
    ...filters,
  ]);
});

test('a parameter is one of the query, of one value, unless it says otherwise', () => {
  const parameters = [
    { name: 'active', description: 'Active ones.', schema: { type: 'boolean' }, example: true },
    {
      name: 'status',
      description: 'Any of these.',
      'x-values': { type: 'string' },
      'x-max-values': 5,
      example: ['new'],
    },
    { 'x-sort': 'LeadOrder', example: 'name' },
    { name: 'id', 'x-path-id': 'lead', description: 'The id of the lead.' },
    { name: 'owner_id', 'x-sent-id': ['none', 'user'], description: 'Leads of this user.' },
  ];

  expect(expandedOperation({ parameters })).toEqual({
    parameters: [
      {
        name: 'active',
        in: 'query',
        description: 'Active ones.',
        schema: { type: 'boolean' },
        example: true,
      },
      {
        name: 'status',
        in: 'query',
        description: 'Any of these.',
        style: 'form',
        explode: false,
        schema: { type: 'array', minItems: 1, maxItems: 5, items: { type: 'string' } },
        example: ['new'],
      },
      {
        name: 'sort',
        in: 'query',
        description: 'The field to sort by. A leading `-` means descending.',
        schema: { $ref: '#/components/schemas/LeadOrder' },
        example: 'name',
      },
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of the lead.',
        schema: { type: 'string', maxLength: 100 },
        example: 'lead_01m7w4n5e0e3tajy9kep34bze2',
      },
      {
        name: 'owner_id',
        in: 'query',
        description: 'Leads of this user.',
        schema: {
          type: 'string',
          maxLength: 100,
          pattern: '^(none|user_[0-7][0-9a-hjkmnp-tv-z]{25})$',
          'x-message': 'must be none or a user id such as user_01m7w4n5e0eymtkc82hvhg0xb9',
        },
        example: 'user_01m7w4n5e0eymtkc82hvhg0xb9',
      },
    ],
  });
});

test('shorthand that is left in the document is found', () => {
  const document = {
    paths: { '/leads': { get: { 'x-scopes': [], 'x-message': 'a', parameters: [{ 'x-id': 'lead' }] } } },
  };

  expect(leftovers(document)).toEqual([
    '#/paths/~1leads/get/x-scopes',
    '#/paths/~1leads/get/parameters/0/x-id',
  ]);
});

function expandedOperation(operation: object, method = 'get') {
  const { paths } = expandFile({ paths: { '/leads': { [method]: operation } } }) as {
    paths: Record<string, Record<string, object>>;
  };
  return paths['/leads']?.[method] ?? {};
}
