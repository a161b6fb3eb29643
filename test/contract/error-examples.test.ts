/** The service really gives each error that the document shows as an example. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../support/app.ts';
import { readDocument } from '../support/document.ts';
import { causes, type ErrorBody, type Services } from '../support/error-causes.ts';

/** Tested by query-timeout.test.ts, which takes 15 seconds, and lost-commit.test.ts, which closes connections. */
const elsewhere = ['query_timeout', 'outcome_unknown'];

/** An address where no database listens. */
const nowhere = { url: 'postgres://127.0.0.1:1/nowhere', drop: async () => undefined };

const examples = errorsIn(readDocument());

let services: Services;
let apps: TestApp[];

beforeAll(async () => {
  const app = await startTestApp({ sandbox: true, allowPrivateTargets: false });
  const timeouts = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 };
  const others = {
    proxied: await startTestApp({ beside: app, trustProxy: 1 }),
    limited: await startTestApp({ beside: app, rateLimits: { read: 0, write: 0, inbound: 0, badSecret: 0 } }),
    full: await startTestApp({ beside: app, inboundStorage: 0, importStorage: 0 }),
    hasty: await startTestApp({ beside: app, timeouts }),
    lost: await startTestApp({ beside: { ...app, databases: [nowhere, nowhere] } }),
  };
  services = {
    app,
    others,
    client: await app.client(allScopes),
    sandbox: await app.client(allScopes, 'sandbox'),
  };
  apps = [...Object.values(others), app];
});

afterAll(async () => {
  for (const app of apps) await app.close();
});

/** The errors among the examples of the document, by their message. */
function errorsIn(node: unknown, found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof node !== 'object' || node === null) return found;
  if ('code' in node && 'request_id' in node && typeof node.code === 'string') {
    const error = withoutValues(node as ErrorBody);
    if (!elsewhere.includes(node.code)) found.set(error.message, error);
  }
  for (const child of Object.values(node)) errorsIn(child, found);
  return found;
}

/** Without the parts that differ between requests. */
function withoutValues({ request_id: _, ...error }: ErrorBody): Omit<ErrorBody, 'request_id'> {
  const text = JSON.stringify(error)
    .replaceAll(/_[0-7][0-9a-hjkmnp-tv-z]{25}/g, '_…')
    .replaceAll(/(allows|again in) \d+/g, '$1 N');
  return JSON.parse(text);
}

describe('an example of an error in the document', () => {
  it('is one that this file provokes', () => {
    expect([...examples.keys()].toSorted()).toEqual(Object.keys(causes).toSorted());
  });

  it.each(Object.entries(causes))('is what the service returns: %s', async (message, cause) => {
    const { body } = await cause(services);
    expect(withoutValues(body)).toEqual(examples.get(message));
  });
});
