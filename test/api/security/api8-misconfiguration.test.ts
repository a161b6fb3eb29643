/** OWASP API8:2023, security misconfiguration: headers, caches, methods and errors, for each operation of the contract. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, readDocument } from '../../support/document.ts';
import { pathOf } from '../../support/each-request.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

const reads = endpoints(readDocument()).filter(({ method }) => method === 'get');

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
});

afterAll(() => app.close());

function expectSafe(path: string, { headers }: { headers: Record<string, string> }): void {
  expect(headers, path).toMatchObject({
    'x-content-type-options': 'nosniff',
    'strict-transport-security': expect.stringMatching(/^max-age=\d{8,}/),
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'access-control-allow-origin': '*',
  });
  for (const name of ['x-powered-by', 'server', 'set-cookie', 'access-control-allow-credentials']) {
    expect(headers, path).not.toHaveProperty(name);
  }
}

describe('an answer', () => {
  it('is kept by no shared cache, unless it is the same for all', async () => {
    const clients = { production: client, sandbox: await app.client(allScopes, 'sandbox') };
    for (const endpoint of reads) {
      const path = await pathOf(endpoint, { app, clients });
      const answer = await client.get(path).expect(200);
      expectSafe(path, answer);
      const expected = path === '/auth/jwks' ? /^public, max-age=\d+$/ : /^(private, no-cache|no-store)$/;
      expect(answer.headers['cache-control'], path).toMatch(expected);
      const refused = await app.anonymous.get(path);
      expectSafe(path, refused);
    }
  });

  it('to a write is not cached, either', async () => {
    const { headers } = await client.post('/leads', { name: 'Ada', email: 'ada@example.com' }).expect(201);
    expect(headers['cache-control']).toBe('private, no-cache');
    const { headers: gone } = await client.delete(headers.location?.replace(/^.*\/v1/, '') ?? '').expect(204);
    expect(gone['cache-control']).toBe('private, no-cache');
  });

  it('to a page of another origin carries no credentials, whatever origin it is', async () => {
    for (const origin of ['https://evil.test', 'null', app.url]) {
      const { headers } = await client.options('/leads').set('Origin', origin).expect(204);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });
});

describe('a page', () => {
  it.each(['/', '/docs/', '/guides/', '/guides/webhooks', '/dashboard/', '/changelog'])(
    'loads nothing from elsewhere and is in no frame: %s',
    async (path) => {
      const { headers } = await client.at(app.url).get(path).expect(200);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      // Attributes colour code, and can't run any.
      expect(policy.replace("style-src-attr 'unsafe-inline'", '')).not.toMatch(/unsafe|\*|https?:/);
      expect(headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    },
  );
});

describe('a method that the contract does not know', () => {
  it.each(['TRACE', 'PROPFIND', 'SEARCH', 'MERGE'])(
    'is refused, and nothing comes back of the request: %s',
    async (method) => {
      const head = requestHead(method, '/v1/leads', {
        ...client.headers,
        'X-Marker': 'marker-of-this-request',
      });
      const { status, body } = await sendRaw(app.url, head);
      expect(status).toBe(405);
      expect(body).not.toMatch(/marker-of-this-request|Bearer e/);
    },
  );

  it('CONNECT is closed without an answer', async () => {
    const { status } = await sendRaw(app.url, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n', {
      end: true,
    });
    expect(status).toBe(0);
  });
});

describe('an error', () => {
  it('of the service shows a request id and no internals', async () => {
    const rename = (from: string, to: string) =>
      app.production.knex.raw('alter table ?? rename to ??', [from, to]);
    await rename('users', 'elsewhere');
    const { body, text } = await client.get('/users').expect(500);
    await rename('elsewhere', 'users');
    expect(Object.keys(body).toSorted()).toEqual(['code', 'message', 'request_id']);
    expect(text).not.toMatch(/node_modules|at .*:\d+:\d+|select|relation|users|postgres|\.ts/i);
  });
});
