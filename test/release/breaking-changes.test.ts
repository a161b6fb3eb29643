/** Which changes break a contract, by kind. */
import { expect, it } from 'vitest';
import { breakingChanges } from '../../scripts/release/breaking-changes.ts';
import { changed, exampleDocument } from './document.ts';

const now = new Date('2026-11-22');
const list = 'paths /leads get';
const create = 'paths /leads post';
const perPage = 'components parameters PerPage';
const page = 'components responses Leads';

const breaks: [kind: string, at: string, value: unknown, message: string][] = [
  ['an operation removed', create, undefined, 'POST /leads is removed'],
  ['a path removed', 'paths /health', undefined, 'GET /health is removed'],
  [
    'an operationId renamed',
    `${list} operationId`,
    'getLeads',
    'GET /leads: the operationId is getLeads now, not listLeads',
  ],
  ['a server removed', 'servers', [{ url: '/v1' }], 'The server /sandbox/v1 is removed'],
  [
    'an environment removed',
    `${list} x-environments`,
    ['sandbox'],
    'GET /leads: the environment production is removed',
  ],
  [
    'a sunset that comes earlier',
    `${list} x-sunset`,
    '2027-06-01',
    'GET /leads: the sunset is 2027-06-01 now, earlier than 2027-12-01',
  ],
  [
    'a parameter removed',
    `${create} parameters`,
    [],
    'POST /leads: the header parameter Idempotency-Key is removed',
  ],
  [
    'a parameter made required',
    `${perPage} required`,
    true,
    'GET /leads: the query parameter per_page is required now',
  ],
  [
    'a required parameter added',
    'paths /health get parameters',
    [{ name: 'deep', in: 'query', required: true, schema: {} }],
    'GET /health: the query parameter deep is required now',
  ],
  [
    'a required parameter added to a path',
    'paths /health parameters',
    [{ name: 'deep', in: 'query', required: true, schema: {} }],
    'GET /health: the query parameter deep is required now',
  ],
  [
    'a parameter narrowed',
    `${perPage} schema maximum`,
    50,
    'GET /leads: the query parameter per_page: has the maximum 50 now, not 100',
  ],
  [
    "a parameter's default changed",
    `${perPage} schema default`,
    10,
    'GET /leads: the query parameter per_page: has the default 10 now, not 25',
  ],
  [
    "a parameter's choice removed",
    `${list} parameters 1 schema enum`,
    ['new'],
    'GET /leads: the query parameter status: no longer accepts won',
  ],
  [
    "a parameter's style changed",
    `${list} parameters 2 explode`,
    true,
    'GET /leads: the query parameter tag has another style',
  ],
  [
    'a request body made required',
    `${create} requestBody required`,
    true,
    'POST /leads: the request body is required now',
  ],
  [
    'a media type of a request removed',
    `${create} requestBody content application/x-www-form-urlencoded`,
    undefined,
    'POST /leads: the request body is no longer application/x-www-form-urlencoded',
  ],
  [
    'a field of a request made required',
    'components schemas LeadInput required',
    ['name', 'phone'],
    'POST /leads: the request body (application/json): phone is required now',
  ],
  ['a status removed', `${list} responses 429`, undefined, 'GET /leads: the status 429 is removed'],
  [
    'a media type of a response removed',
    `${page} content text/csv`,
    undefined,
    'GET /leads: the response 200 is no longer text/csv',
  ],
  ['a header removed', `${page} headers ETag`, undefined, 'GET /leads: the header ETag of 200 is removed'],
  [
    'a header no longer required',
    `${page} headers ETag required`,
    false,
    'GET /leads: the header ETag of 200 is no longer required',
  ],
  [
    'a header of another type',
    `${page} headers ETag schema`,
    { type: 'integer' },
    'GET /leads: the header ETag of 200: may have the type integer now',
  ],
  [
    'a scope added',
    `${list} security`,
    [{ oauth2: ['leads:read', 'leads:write'] }, { apiKey: ['leads:read'] }],
    'GET /leads: {"oauth2":["leads:read"]} is not enough now',
  ],
  [
    'a kind of credential refused',
    `${list} security`,
    [{ oauth2: ['leads:read'] }],
    'GET /leads: {"apiKey":["leads:read"]} is not enough now',
  ],
  [
    'a credential needed',
    'paths /health get security',
    [{ oauth2: [] }],
    'GET /health: a credential is required now',
  ],
  [
    'a scope removed',
    'components securitySchemes oauth2 flows clientCredentials scopes leads:write',
    undefined,
    'The scope leads:write of oauth2 is removed',
  ],
  [
    'a security scheme removed',
    'components securitySchemes apiKey',
    undefined,
    'The security scheme apiKey is removed',
  ],
  ['an event type removed', 'webhooks lead.created', undefined, 'lead.created is removed'],
  [
    'a header of an event removed',
    'webhooks lead.created post parameters',
    [],
    'lead.created: the header parameter webhook-id is removed',
  ],
];

it.each(breaks)('finds %s', (_, at, value, message) => {
  const isSunset = at.endsWith('x-sunset');
  const before = isSunset ? changed(at, '2027-12-01') : exampleDocument();
  expect(breakingChanges(before, changed(at, value), now)).toEqual([message]);
});

it('finds a field that is gone in each response and event that had it', () => {
  const after = changed('components schemas Lead properties description');
  expect(breakingChanges(exampleDocument(), after, now)).toEqual([
    'GET /leads: the response 200 (application/json): [].description is removed',
    'lead.created: the request body (application/json): description is removed',
  ]);
});

const growth: [kind: string, at: string, value: unknown][] = [
  ['the same', 'info version', '1.1.0'],
  ['an operation added', 'paths /health head', { operationId: 'headHealth', security: [], responses: {} }],
  [
    'an optional parameter added',
    'paths /health get parameters',
    [{ name: 'deep', in: 'query', schema: {} }],
  ],
  ['a parameter widened', `${perPage} schema maximum`, 500],
  [
    'an optional field of a request added',
    'components schemas LeadInput properties company',
    { type: 'string' },
  ],
  ['a field of a response added', 'components schemas Lead properties company', { type: 'string' }],
  [
    'a field of a response always there',
    'components schemas Lead required',
    ['name', 'status', 'description'],
  ],
  ['a longer field of a response', 'components schemas Lead properties name maxLength', 500],
  ['a status added', `${list} responses 503`, { description: 'Later.' }],
  ['a header added', `${page} headers Link`, { schema: { type: 'string' } }],
  ['a scope no longer needed', `${list} security`, [{ oauth2: [] }, { apiKey: [] }]],
  ['an operation made public', `${list} security`, []],
  ['a scope to choose', 'components securitySchemes oauth2 flows clientCredentials scopes all', 'All'],
  ['an event type added', 'webhooks lead.merged', { post: { operationId: 'leadMerged' } }],
  ['a description', 'components schemas Lead description', 'Someone who may buy.'],
];

it.each(growth)('lets pass %s', (_, at, value) => {
  expect(breakingChanges(exampleDocument(), changed(at, value), now)).toEqual([]);
});

it('lets a deprecated operation go after its sunset, and not before', () => {
  const deprecation = { deprecated: true, 'x-deprecated-at': '2025-11-01', 'x-sunset': '2026-11-22' };
  const before = exampleDocument();
  Object.assign(before.paths?.['/health']?.get ?? {}, deprecation);
  const after = changed('paths /health');
  expect(breakingChanges(before, after, new Date('2026-11-22'))).toEqual([]);
  expect(breakingChanges(before, after, new Date('2026-11-21'))).toEqual(['GET /health is removed']);
  Object.assign(before.paths?.['/health']?.get ?? {}, { deprecated: false });
  expect(breakingChanges(before, after, new Date('2026-11-22'))).toEqual(['GET /health is removed']);
});
