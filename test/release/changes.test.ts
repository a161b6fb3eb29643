/** Which changes need a sentence in the changelog that names them. */
import { expect, it } from 'vitest';
import { changedNames } from '../../scripts/release/changes.ts';
import { changed, exampleDocument } from './document.ts';

const lead = 'components schemas Lead';
const scopes = 'components securitySchemes oauth2 flows clientCredentials scopes';

const changes: [kind: string, at: string, value: unknown, name: string][] = [
  ['a path', 'paths /leads/count', { get: { operationId: 'countLeads' } }, '/leads/count'],
  ['an operation', 'paths /leads delete', { operationId: 'deleteLeads' }, '/leads'],
  ['an operationId', 'paths /leads get operationId', 'getLeads', '/leads'],
  ['a deprecation', 'paths /leads get deprecated', true, '/leads'],
  ['what an operation needs', 'paths /leads get security', [], '/leads'],
  ['a parameter', 'paths /leads post parameters', [], 'Idempotency-Key'],
  ['a limit of a parameter', 'components parameters PerPage schema maximum', 500, 'per_page'],
  ['a field', `${lead} properties company`, { type: 'string', description: 'Their employer.' }, 'company'],
  ['a limit of a field', `${lead} properties name maxLength`, 500, 'name'],
  ['a field named as a keyword', `${lead} properties description`, undefined, 'description'],
  ['a required field', `${lead} required`, ['status'], 'name'],
  ['a value', `${lead} properties status enum`, ['new', 'lost', 'won'], 'lost'],
  ['a status', 'paths /leads get responses 503', { description: 'Later.' }, '503'],
  ['a header', 'components responses Leads headers Link', {}, 'Link'],
  ['a media type', 'components responses Leads content text/csv', undefined, 'text/csv'],
  ['an event type', 'webhooks lead.merged', { post: { operationId: 'leadMerged' } }, 'lead.merged'],
  ['a scope', `${scopes} leads:merge`, 'Merge', 'leads:merge'],
  ['a server', 'servers', [{ url: '/v1' }], '/sandbox/v1'],
];

it.each(changes)('names %s', (_, at, value, name) => {
  expect(changedNames(exampleDocument(), changed(at, value))).toEqual([name]);
});

it('names a field within a field, both of which are named as keywords', () => {
  const content = (properties: object) => changed(`${lead} properties content`, { properties });
  const [before, after] = [content({}), content({ title: { type: 'string' } })];
  expect(changedNames(before, after)).toEqual(['title']);
});

it('names a schema that was renamed, by its old name', () => {
  const renamed = JSON.parse(JSON.stringify(exampleDocument()).replaceAll('LeadInput', 'NewLead'));
  expect(changedNames(exampleDocument(), renamed)).toEqual(['LeadInput']);
});

it('names the kind that a union got', () => {
  const kind = (name: string) => ({ properties: { type: { const: name } } });
  const union = (...oneOf: object[]) => changed(`${lead} properties change`, { oneOf });
  const [before, after] = [
    union(kind('created'), kind('won')),
    union(kind('created'), kind('lost'), kind('won')),
  ];
  expect(changedNames(before, after)).toEqual(['lost']);
});

const prose: [kind: string, at: string, value: unknown][] = [
  ['a description', `${lead} description`, 'Somebody who may buy.'],
  ['the description of a field', `${lead} properties name description`, 'Their name.'],
  ['the description of a scope', `${scopes} leads:read`, 'Read all leads'],
  ['a summary', 'paths /leads get summary', 'All leads'],
  ['an example', `${lead} examples`, [{ name: 'Ada' }]],
  ['the introduction', 'info description', 'Leads, and more.'],
  ['the version', 'info version', '1.1.0'],
  ['the order', `${lead} properties status enum`, ['won', 'new']],
  ['what operations share', 'components schemas Email', { type: 'string' }],
];

it.each(prose)('has no name for %s', (_, at, value) => {
  expect(changedNames(exampleDocument(), changed(at, value))).toEqual([]);
});
