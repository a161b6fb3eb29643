/** Every operation answers as documented: status, headers and body. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { apiHeaders } from '../../src/http/security.ts';
import { type Document, readDocument as readContract } from '../../src/http/validation/document.ts';
import { allScopes, startTestApp, type TestApp } from '../support/app.ts';
import { type Endpoint, endpoints, readDocument } from '../support/document.ts';
import { eachAnswer } from '../support/each-answer.ts';
import type { Services } from '../support/each-request.ts';
import { requestHead, sendRaw } from '../support/raw.ts';

const all = endpoints(readDocument()).map((endpoint): [string, Endpoint] => [endpoint.operationId, endpoint]);

/** The headers of every answer, set by the API, HTTP or Node. */
const base = new Set(
  [
    ...Object.keys(apiHeaders(true)),
    ...['Connection', 'Content-Length', 'Content-Type', 'Date', 'Keep-Alive', 'Transfer-Encoding'],
  ].map((name) => name.toLowerCase()),
);

const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
addFormats.default(ajv);

/** An address where no database listens. */
const nowhere = { url: 'postgres://127.0.0.1:1/nowhere', drop: async () => undefined };

let services: Services;
let slow: TestApp;
let apps: TestApp[];

beforeAll(async () => {
  const app = await startTestApp({ sandbox: true });
  const none = Object.fromEntries(
    ['read', 'write', 'batch', 'search', 'analytics', 'tokenIp', 'inbound', 'anonymous'].map((name) => [
      name,
      0,
    ]),
  );
  const others = {
    proxied: await startTestApp({ beside: app, trustProxy: 1 }),
    limited: await startTestApp({ beside: app, rateLimits: none }),
    broken: await startTestApp({ beside: app, document: withoutSuccess(await readContract()) }),
    lost: await startTestApp({ beside: { ...app, databases: [nowhere, nowhere] } }),
  };
  services = {
    app,
    clients: { production: await app.client(allScopes), sandbox: await app.client(allScopes, 'sandbox') },
    others,
  };
  const timeouts = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 };
  slow = await startTestApp({ beside: app, timeouts });
  apps = [...Object.values(others), slow, app];
});

afterAll(async () => {
  for (const app of apps) await app.close();
});

/** With this document, the service treats every success as its own fault. */
function withoutSuccess(document: Document): Document {
  for (const item of Object.values(document.paths ?? {})) {
    for (const { responses = {} } of Object.values(item ?? {}) as { responses?: object }[]) {
      for (const status of Object.keys(responses)) {
        if (status < '300') delete responses[status as keyof typeof responses];
      }
    }
  }
  return document;
}

function expectAsDocumented(
  { responses, operationId, 'x-environments': environments }: Endpoint,
  { status, headers, body, text }: Pick<Response, 'status' | 'headers' | 'body' | 'text'>,
  isElsewhere = false,
): void {
  const at = `${operationId} ${status}`;
  const documented = responses[status];
  if (documented === undefined) throw new Error(`${at} is not documented: ${text}`);
  const sent = Object.keys(headers).filter((name) => !base.has(name));
  const promised = Object.entries(documented.headers ?? {});
  const names = promised.map(([name]) => name.toLowerCase());
  expect(
    sent.filter((name) => !names.includes(name)),
    `${at}: sent without being documented`,
  ).toEqual([]);
  const required = promised.flatMap(([name, { required }]) => (required ? [name.toLowerCase()] : []));
  expect(
    required.filter((name) => !(name in headers)),
    `${at}: documented and not sent`,
  ).toEqual([]);
  for (const name of Object.keys(apiHeaders(true))) expect(headers, at).toHaveProperty(name.toLowerCase());
  const isSandbox = environments !== undefined && !isElsewhere;
  expect(headers['x-environment'], at).toBe(isSandbox ? 'sandbox' : 'production');
  if (status >= 400)
    expect([body.request_id, headers['cache-control']]).toEqual([headers['x-request-id'], 'no-store']);
  for (const [name, { schema }] of promised) {
    const value = headers[name.toLowerCase()];
    if (value === undefined) continue;
    const read = schema.type === 'integer' ? Number(value) : value;
    expect(ajv.validate(schema, read), `${at} ${name} ${ajv.errorsText()}`).toBe(true);
  }
  const types = Object.keys(documented.content ?? {});
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const schema = type === 'application/json' ? documented.content?.[type]?.schema : undefined;
  if (types.length === 0) expect(text, at).toBe('');
  else if (schema === undefined) expect(types, at).toContain(type);
  else expect(ajv.validate(schema, body), `${at} ${ajv.errorsText()}`).toBe(true);
}

describe.each(all)('%s', (_, endpoint) => {
  it('answers with each documented status, with its headers and body', async () => {
    for await (const [expected, answer] of eachAnswer(endpoint, services)) {
      expect(String(answer.status), JSON.stringify(answer.body)).toMatch(
        new RegExp(expected.replace('xx', '..')),
      );
      expectAsDocumented(endpoint, answer, expected === '404' && endpoint['x-environments'] !== undefined);
    }
  });
});

it.concurrent.each(all)('%s answers 408 if the body does not arrive', async (_, endpoint) => {
  const { method, path } = endpoint;
  const { environments, consumes } = operations[endpoint.operationId as keyof typeof operations];
  const environment = environments.find((one) => one === 'production') ?? 'sandbox';
  const client = services.clients[environment];
  const target = `${environment === 'sandbox' ? '/sandbox/v1' : '/v1'}${path.replaceAll(/{\w+}/g, 'x')}`;
  const needed = path === '/imports' ? '?resource=leads' : '';
  const token = path.includes('{token}') ? await hookPath() : target + needed;
  const head = requestHead(method.toUpperCase(), token, {
    ...client.headers,
    'Content-Type': consumes[0] ?? '',
    'Content-Length': '10',
    'X-Request-Id': 'a-slow-request',
  });
  const { status, headers, body } = await sendRaw(slow.url, `${head}{`);
  expect([status, headers['x-request-id'], headers.connection]).toEqual([408, 'a-slow-request', 'close']);
  expectAsDocumented(endpoint, { status, headers, body: JSON.parse(body), text: body });
});

async function hookPath(): Promise<string> {
  const { body } = await services.clients.production.post('/inbound-hooks', { name: 'Form' }).expect(201);
  return new URL(body.data.url).pathname;
}
