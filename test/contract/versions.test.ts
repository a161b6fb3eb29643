/** What can be changed has a version, an ETag and If-Match, and nothing else promises them. */
import { describe, expect, test } from 'vitest';
import {
  type Change,
  type Document,
  type Endpoint,
  endpoints,
  readDocument,
  takes,
} from '../support/document.ts';

interface Rule {
  faults(document: Document): string[];
  brokenBy: Change;
}

/** The answer's ETag, and whether its resource shows a version. */
function answerOf({ responses }: Endpoint, status: string) {
  const { headers = {}, content = {} } = responses[status] ?? {};
  const { data } = content['application/json']?.schema.properties ?? {};
  return { hasTag: headers.ETag !== undefined, isVersioned: data?.properties?.version !== undefined };
}

/** Whether the operation answers with the resource as it is then, and not with a new one. */
function changes(endpoint: Endpoint, status: string): boolean {
  const isNew = endpoint.responses[status]?.headers?.Location !== undefined;
  return answerOf(endpoint, status).isVersioned && !isNew;
}

const named = (found: Endpoint[]) => found.map(({ at }) => at);

const rules: Record<string, Rule> = {
  'an answer that shows a version has it as ETag': {
    faults: (document) =>
      endpoints(document).flatMap((endpoint) =>
        ['200', '201', '202']
          .filter((status) => {
            const { hasTag, isVersioned } = answerOf(endpoint, status);
            return isVersioned && !hasTag;
          })
          .map((status) => `${endpoint.at} ${status}`),
      ),
    brokenBy: { at: ['paths', '/leads', 'post', 'responses', '201', 'headers', 'ETag'], to: undefined },
  },

  'a read has an ETag if, and only if, it takes If-None-Match': {
    faults: (document) =>
      named(
        endpoints(document).filter(
          (endpoint) =>
            endpoint.method === 'get' &&
            answerOf(endpoint, '200').hasTag !== takes(endpoint, 'If-None-Match'),
        ),
      ),
    brokenBy: { at: ['paths', '/leads/{id}', 'get', 'responses', '200', 'headers', 'ETag'], to: undefined },
  },

  'a verb of a resource that a read shows with a version takes If-Match': {
    faults: (document) => {
      const all = endpoints(document);
      const reads = all.filter(
        (endpoint) => endpoint.method === 'get' && answerOf(endpoint, '200').isVersioned,
      );
      return named(
        all.filter(
          (endpoint) =>
            endpoint.method === 'post' &&
            reads.some(({ path }) => endpoint.path.startsWith(`${path}/`)) &&
            ['200', '202'].some((status) => changes(endpoint, status)) &&
            !takes(endpoint, 'If-Match'),
        ),
      );
    },
    brokenBy: { at: ['paths', '/imports/{id}/start', 'post', 'parameters'], to: [] },
  },

  'PATCH and DELETE of one resource take If-Match': {
    faults: (document) =>
      named(
        endpoints(document).filter(
          (endpoint) => ['patch', 'delete'].includes(endpoint.method) && !takes(endpoint, 'If-Match'),
        ),
      ),
    brokenBy: { at: ['paths', '/leads/{id}', 'patch', 'parameters'], to: [] },
  },

  'If-Match is of resources that a read shows with a version': {
    faults: (document) => {
      const all = endpoints(document);
      const versioned = all.filter(
        (endpoint) => endpoint.method === 'get' && answerOf(endpoint, '200').isVersioned,
      );
      return named(
        all.filter(
          (endpoint) =>
            takes(endpoint, 'If-Match') && !versioned.some(({ path }) => endpoint.path.startsWith(path)),
        ),
      );
    },
    brokenBy: { at: ['paths', '/content/{id}', 'get', 'responses', '200', 'content'], to: {} },
  },
};

describe.each(Object.entries(rules))('%s', (_, { faults, brokenBy }) => {
  test('holds', () => expect(faults(readDocument())).toEqual([]));

  test('is noticed when broken', () => expect(faults(readDocument(brokenBy))).not.toEqual([]));
});
