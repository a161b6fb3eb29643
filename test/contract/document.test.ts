import { describe, expect, test } from 'vitest';
import { documentFaults } from '../../scripts/generate/document-faults.ts';
import {
  allSchemas,
  type Change,
  type Document,
  eachResponse,
  endpoints,
  isNullable,
  isOpen,
  type Response,
  readDocument,
  requestSchemas,
  responseSchemas,
  success,
  successes,
  takes,
} from '../support/document.ts';
import { exampleFaults, schemaExampleFaults, slowPatterns, unlimited } from '../support/document-checks.ts';
import { reachableStatuses } from '../support/reachable-statuses.ts';

/** A house rule for the contract, which a general linter can't know. */
interface Rule {
  /** Where the document breaks the rule. */
  faults(document: Document): string[] | Promise<string[]>;
  /** One way of breaking it: a rule that can't fail is no rule. */
  brokenBy: Change;
}

const listLeads = ['paths', '/leads', 'get'];
const createLead = ['paths', '/leads', 'post'];
const getLead = ['paths', '/leads/{id}', 'get'];
const deleteUser = ['paths', '/users/{id}', 'delete'];
const publishContent = ['paths', '/content/{id}/publish', 'post'];
const resetSandbox = ['paths', '/sandbox/reset', 'post'];
const leadProperties = ['components', 'schemas', 'Lead', 'properties'];

const rateLimits = ['read', 'write', 'batch', 'search', 'analytics', 'token', 'inbound', 'anonymous'];

const rules: Record<string, Rule> = {
  'is valid OpenAPI': {
    faults: documentFaults,
    brokenBy: { at: ['info', 'title'], to: undefined },
  },

  'operationIds are unique and in camelCase': {
    faults: (document) => {
      const ids = endpoints(document).map(({ operationId }) => operationId);
      return ids.filter((id, index) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id) || ids.indexOf(id) !== index);
    },
    brokenBy: { at: [...listLeads, 'operationId'], to: 'getLead' },
  },

  'no null inside allOf': {
    faults: (document) =>
      allSchemas(document).flatMap(([at, { allOf = [] }]) => (allOf.some(isNullable) ? [at] : [])),
    brokenBy: { at: [...leadProperties, 'phone'], to: { allOf: [{ type: ['string', 'null'] }] } },
  },

  'every oneOf in a request body has a discriminator': {
    faults: (document) =>
      endpoints(document)
        .flatMap(requestSchemas)
        .flatMap(([at, schema]) => (schema.oneOf && !schema.discriminator ? [at] : [])),
    brokenBy: { at: ['components', 'schemas', 'CreateLead', 'oneOf'], to: [{}] },
  },

  'objects in responses and JSON requests are closed': {
    faults: (document) =>
      endpoints(document)
        .flatMap((endpoint) => [...requestSchemas(endpoint), ...responseSchemas(endpoint)])
        .filter(([, schema, name]) => isOpen(schema, name))
        .map(([at]) => at)
        // A row has the columns of its file.
        .filter((at) => at !== 'GET /imports/{id}/rejected-rows 200'),
    brokenBy: { at: ['components', 'schemas', 'ListMeta', 'additionalProperties'], to: true },
  },

  'every parameter, header and body has an example, and each is valid': {
    faults: exampleFaults,
    brokenBy: {
      at: ['components', 'responses', 'NotFound', 'content', 'application/json', 'example', 'code'],
      to: 404,
    },
  },

  'every example and default of a schema is valid, and one text is one example': {
    faults: schemaExampleFaults,
    brokenBy: {
      at: ['components', 'schemas', 'ApiError', 'properties', 'error_description', 'examples'],
      to: ['Unknown API client', 'wrong secret', 'or the client is disabled.'],
    },
  },

  'every operation documents the statuses that it can reach': {
    faults: (document) =>
      endpoints(document).flatMap((endpoint) => {
        const documented = Object.keys(endpoint.responses).filter((status) => !status.startsWith('2'));
        const reachable = reachableStatuses(endpoint);
        const missing = reachable.filter((status) => !documented.includes(status));
        const needless = documented.filter((status) => !reachable.includes(status));
        return [...missing, ...needless].map((status) => `${endpoint.at} ${status}`);
      }),
    brokenBy: { at: [...deleteUser, 'responses', '422'], to: undefined },
  },

  'every operation has a rate-limit class': {
    faults: (document) =>
      endpoints(document)
        .filter((endpoint) => !rateLimits.includes(endpoint['x-rate-limit'] ?? ''))
        .map(({ at }) => at),
    brokenBy: { at: [...listLeads, 'x-rate-limit'], to: 'reads' },
  },

  'every operation names its scopes, the same for tokens and API keys': {
    faults: (document) => {
      const known = Object.keys(document.components.securitySchemes.oauth2.flows.clientCredentials.scopes);
      return endpoints(document)
        .filter(({ security }) => {
          if (security?.length === 0) return false;
          // A token and a key for each alternative.
          const byToken = security?.flatMap(({ oauth2 }) => (oauth2 ? [oauth2] : [])) ?? [];
          const wanted = byToken.flatMap((scopes) => [{ oauth2: scopes }, { apiKey: scopes }]);
          const same = JSON.stringify(wanted) === JSON.stringify(security);
          return byToken.length === 0 || !same || !byToken.flat().every((scope) => known.includes(scope));
        })
        .map(({ at }) => at);
    },
    brokenBy: {
      at: [...listLeads, 'security'],
      to: [{ oauth2: ['leads:read'] }, { apiKey: ['leads:write'] }],
    },
  },

  'a GET needs a :read scope, anything else a :write scope, and clients need admin': {
    faults: (document) =>
      endpoints(document)
        .filter(({ path, method, security = [] }) => {
          const isAdministration = /^\/(clients|audit-log|erasures|people)\b/.test(path);
          // The sandbox's data is of every kind, so changing it takes the whole of `write`.
          const isRead = method === 'get' || path.endsWith('/batch/read');
          const ordinary = isRead ? /:read$/ : /^write$|:write$/;
          // Who reads metadata may know its types.
          const types = method === 'get' ? /^admin$|:read$/ : /^admin$/;
          const other = path.startsWith('/metadata-fields') ? types : ordinary;
          const kind = isAdministration ? /^admin$/ : other;
          // A change may show what it changes, which takes a :read scope too.
          const needed = security
            .flatMap((schemes) => Object.values(schemes))
            .filter(({ length }) => length > 0);
          const isOfKind = (scope: string) => kind.test(scope);
          return needed.some((scopes) => !(isRead ? scopes.every(isOfKind) : scopes.some(isOfKind)));
        })
        .map(({ at }) => at),
    brokenBy: { at: [...getLead, 'security', '0', 'oauth2'], to: ['leads:write'] },
  },

  'a list has meta, Link and page, per_page and cursor': {
    faults: (document) =>
      endpoints(document)
        .filter(
          (endpoint) => success(endpoint)?.content?.['application/json']?.schema.properties?.data?.items,
        )
        // The log and duplicates are followed, types are few, a report is whole, and a batch has a result for each item.
        .filter(({ at }) => !/^GET \/(events|event-types|analytics\/.*)$|\/(batch\/|duplicates$)/.test(at))
        .filter((endpoint) => {
          const { headers, content } = success(endpoint) ?? {};
          const paged = ['page', 'per_page', 'cursor'].every((name) => takes(endpoint, name));
          return !paged || !headers?.Link || !content?.['application/json']?.schema.properties?.meta;
        })
        .map(({ at }) => at),
    brokenBy: { at: [...listLeads, 'responses', '200', 'headers', 'Link'], to: undefined },
  },

  'POST and PATCH take an Idempotency-Key, unless they keep no answer or write nothing': {
    faults: (document) =>
      endpoints(document)
        .filter((endpoint) => {
          const excluded = /^\/(auth|hooks)\/|\/(preview|batch\/read|lookup|erasures)$/.test(endpoint.path);
          const expected = ['post', 'patch'].includes(endpoint.method) && !excluded;
          const replayed = ({ headers = {} }: Response) => headers['Idempotency-Replayed'] !== undefined;
          const stored = successes(endpoint).every((response) => replayed(response) === expected);
          return takes(endpoint, 'Idempotency-Key') !== expected || !stored;
        })
        .map(({ at }) => at),
    brokenBy: { at: [...createLead, 'parameters'], to: [] },
  },

  'one resource has an ETag, and its operations are conditional': {
    faults: (document) =>
      endpoints(document)
        .filter((endpoint) => {
          // What is only begun (202), tried out, or has no version is not conditional; a new API key changes nothing else.
          const isExempt = /(preview|keys|{replay_id}\/cancel)$/.test(endpoint.at);
          const acts = /^POST .*{id}/.test(endpoint.at) && !isExempt && !endpoint.responses['202'];
          if (!/{id}$/.test(endpoint.path) && !acts) return false;
          const condition = endpoint.method === 'get' ? 'If-None-Match' : 'If-Match';
          const tagged = successes(endpoint).every(({ headers }) => headers?.ETag);
          return (!tagged && endpoint.method !== 'delete') || !takes(endpoint, condition);
        })
        .map(({ at }) => at),
    brokenBy: { at: [...publishContent, 'responses', '200', 'headers', 'ETag'], to: undefined },
  },

  'an operation that exists in only one environment says so, also in its description': {
    faults: (document) =>
      endpoints(document)
        .filter(({ path, description, 'x-environments': environments }) => {
          const [only, ...others] = environments ?? [];
          const isSandbox = path.startsWith('/sandbox/');
          if (!isSandbox && !environments) return false;
          return only !== 'sandbox' || others.length > 0 || !description?.includes('Sandbox only');
        })
        .map(({ at }) => at),
    brokenBy: { at: [...resetSandbox, 'x-environments'], to: ['production', 'sandbox'] },
  },

  'everything has a description': {
    faults: (document) => [
      ...endpoints(document).flatMap((endpoint) =>
        endpoint.summary && endpoint.description ? [] : [endpoint.at],
      ),
      ...endpoints(document).flatMap(({ at, parameters }) =>
        parameters.filter(({ description }) => !description).map(({ name }) => `${at} ${name}`),
      ),
      ...eachResponse(document).flatMap(([at, { description, headers = {} }]) => [
        ...(description ? [] : [at]),
        ...Object.entries(headers).flatMap(([name, header]) => (header.description ? [] : [`${at} ${name}`])),
      ]),
      ...allSchemas(document).flatMap(([at, { description }, name]) => (name && !description ? [at] : [])),
    ],
    brokenBy: { at: [...leadProperties, 'company', 'description'], to: '' },
  },

  'every text and list has a limit, and every integer a width': {
    faults: (document) => [...new Set(allSchemas(document).flatMap(unlimited))],
    brokenBy: { at: [...leadProperties, 'tags', 'maxItems'], to: undefined },
  },

  'patterns take linear time': {
    faults: slowPatterns,
    brokenBy: { at: [...leadProperties, 'company', 'pattern'], to: 'a+x$' },
  },
};

describe.each(Object.entries(rules))('%s', (_, { faults, brokenBy }) => {
  test('holds', async () => expect(await faults(readDocument())).toEqual([]));

  test('is noticed when broken', async () => expect(await faults(readDocument(brokenBy))).not.toEqual([]));
});
