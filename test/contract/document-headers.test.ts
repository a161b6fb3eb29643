/** House rules for the documented headers; answers.test.ts checks that the service sends them. */
import { describe, expect, test } from 'vitest';
import { type Change, type Document, endpoints, readDocument } from '../support/document.ts';

interface Rule {
  faults(document: Document): string[];
  brokenBy: Change;
}

/** Rejected before the service knows whose quota counts. */
const uncounted = ['406', '408', '414', '431'];
/** Rejected before or after that. */
const perhapsCounted = ['403', '500', '503'];
const limits = ['RateLimit', 'RateLimit-Policy'];

const named: Record<string, string> = {
  201: 'Location',
  304: 'ETag',
  401: 'WWW-Authenticate',
  403: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

function eachStatus(document: Document) {
  return endpoints(document).flatMap(({ at, responses, 'x-environments': environments }) =>
    Object.entries(responses).map(([status, { headers = {} }]) => {
      const isElsewhere = environments !== undefined && status === '404';
      return { at: `${at} ${status}`, status, headers, counted: !uncounted.includes(status) && !isElsewhere };
    }),
  );
}

const rules: Record<string, Rule> = {
  'every response names its headers': {
    faults: (document) =>
      eachStatus(document).flatMap(({ at, status, headers, counted }) =>
        [
          'X-Request-Id',
          'X-Environment',
          ...(counted ? limits : []),
          ...(status >= '400' ? ['Cache-Control'] : []),
          ...(named[status] === undefined ? [] : [named[status]]),
        ]
          .filter((name) => headers[name] === undefined)
          .map((name) => `${at} ${name}`),
      ),
    brokenBy: { at: ['components', 'responses', 'TooManyRequests', 'headers', 'Retry-After'], to: undefined },
  },

  'no response documents a quota that is not counted yet': {
    faults: (document) =>
      eachStatus(document).flatMap(({ at, headers, counted }) =>
        counted ? [] : limits.filter((name) => headers[name] !== undefined).map((name) => `${at} ${name}`),
      ),
    brokenBy: { at: ['components', 'responses', 'UriTooLong', 'headers', 'RateLimit'], to: {} },
  },

  'a header is required unless it depends on more than the status': {
    faults: (document) =>
      eachStatus(document).flatMap(({ at, status, headers }) =>
        Object.entries(headers)
          .filter(([name, { required = false }]) => {
            const mayLack =
              ['Accept-Patch', 'Dry-Run', 'Idempotency-Replayed'].includes(name) ||
              // Of files only.
              ['Content-Disposition', 'Omitted-Rows'].includes(name) ||
              // A file, or a page whose parameters are too long for it.
              name === 'Link' ||
              (status === '403' && name === 'WWW-Authenticate') ||
              (/\/auth\/(token|revoke) 401/.test(at) && name === 'WWW-Authenticate') ||
              (perhapsCounted.includes(status) && limits.includes(name));
            return required === mayLack;
          })
          .map(([name]) => `${at} ${name}`),
      ),
    brokenBy: { at: ['components', 'headers', 'ETag', 'required'], to: false },
  },
};

describe.each(Object.entries(rules))('%s', (_, { faults, brokenBy }) => {
  test('holds', () => expect(faults(readDocument())).toEqual([]));

  test('is noticed when broken', () => expect(faults(readDocument(brokenBy))).not.toEqual([]));
});
