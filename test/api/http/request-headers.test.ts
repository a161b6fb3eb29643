/** Rules of RFC 9110 and RFC 9112 for a request's headers that no HTTP client breaks. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { type RawAnswer, sendRaw } from '../../support/raw.ts';

let app: TestApp;
let client: TestClient;
let token: string;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  token = `Authorization: ${client.headers.Authorization}`;
});

afterAll(() => app.close());

/** Sends these lines as they are. */
const ask = (requestLine: string, lines: readonly string[], body = '') =>
  sendRaw(app.url, [requestLine, ...lines, '', body].join('\r\n'));

const list = (...lines: string[]) => ask('GET /v1/leads HTTP/1.1', [token, ...lines]);

/** The service's own response: 400, naming the header, with the headers of every response. */
function expectRefusal({ status, headers, body }: RawAnswer, header: string): void {
  expect(status).toBe(400);
  const answer = JSON.parse(body);
  expect(answer).toMatchObject({ code: 'invalid_parameter', request_id: headers['x-request-id'] });
  expect(Object.keys(answer.errors)).toEqual([header]);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(/./),
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  });
}

describe('Host', () => {
  it('is required by HTTP/1.1, and its absence is reported in JSON', async () => {
    const answer = await list();
    expectRefusal(answer, 'Host');
    expect(answer.headers['x-environment']).toBe('production');
    expect((await ask('GET /sandbox/v1/leads HTTP/1.1', [])).headers['x-environment']).toBe('sandbox');
    for (const path of ['/livez', '/openapi.json', '/docs/', '/nothing']) {
      expectRefusal(await ask(`GET ${path} HTTP/1.1`, []), 'Host');
    }
    expect((await ask('GET /v1/leads HTTP/1.0', [token])).status).toBe(200);
  });

  it.each([
    ['two', ['Host: api.test', 'Host: api.test']],
    ['two that differ', ['Host: api.test', 'host: evil.test']],
    ['two over HTTP/1.0', ['Host: api.test', 'host: evil.test'], 'HTTP/1.0'],
    ['a path', ['Host: api.test/v1']],
    ['a URL', ['Host: https://api.test']],
    ['a space', ['Host: api test']],
    ['a list', ['Host: api.test, evil.test']],
    ['a user', ['Host: me@api.test']],
    ['no port number', ['Host: api.test:x']],
  ])('is refused: %s', async (_what, hosts, version = 'HTTP/1.1') => {
    for (const path of ['/v1/leads', '/livez']) {
      expectRefusal(await ask(`GET ${path} ${version}`, [token, ...hosts]), 'Host');
    }
  });

  it.each([
    'api.test',
    'api.test:8080',
    'API.TEST',
    '127.0.0.1:80',
    '[::1]',
    '[2001:db8::1]:443',
    'a_b.test',
    '',
  ])('may be "%s"', async (host) => {
    expect((await list(`Host: ${host}`)).status).toBe(200);
  });
});

describe('a header that a request has once at most', () => {
  const host = 'Host: api.test';

  it.each([
    ['Authorization', () => [token, token.replace('Bearer', 'bearer')]],
    ['Authorization', () => [token, 'authorization: Bearer a.b.c']],
    ['X-API-Key', () => ['X-API-Key: lpk_live_a', 'x-api-key: lpk_live_b']],
    ['Idempotency-Key', () => [token, 'Idempotency-Key: a', 'Idempotency-Key: a']],
    ['Content-Type', () => [token, 'Content-Type: application/json', 'Content-Type: text/plain']],
  ])('is refused when it comes twice: %s', async (name, lines) => {
    const body = JSON.stringify(leadInput({ name: 'Twice' }));
    const answer = await ask(
      'POST /v1/leads HTTP/1.1',
      [
        host,
        ...(name === 'Content-Type' ? [] : ['Content-Type: application/json']),
        `Content-Length: ${body.length}`,
        ...lines(),
      ],
      body,
    );
    expectRefusal(answer, name);
    expect((await client.get('/leads?search=Twice').expect(200)).body.meta.total).toBe(0);
  });

  it.each(['Content-Length: 2', 'Content-Length: 3'])(
    'is refused when it comes twice: Content-Length, then %s',
    async (second) => {
      const answer = await ask('POST /v1/leads HTTP/1.1', [host, token, 'Content-Length: 2', second], '{}');
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body).code).toBe('invalid_request');
    },
  );

  it('is another one than those that are lists', async () => {
    const { id } = await createLead(client);
    const answer = await ask(`DELETE /v1/leads/${id} HTTP/1.1`, [
      host,
      token,
      'If-Match: "7"',
      'If-Match: "1"',
      'Accept: text/html',
      'Accept: application/json',
    ]);
    expect(answer.status).toBe(204);
  });
});

describe('Expect', () => {
  const host = 'Host: api.test';

  it.each(['x', '200-ok', '100-continue, x', '100-continue; a=b', '""'])(
    'is refused in JSON when it asks for something unknown: %s',
    async (value) => {
      const answer = await list(host, `Expect: ${value}`);
      expectRefusal(answer, 'Expect');
      expect(answer.headers['x-environment']).toBe('production');
      expectRefusal(await ask('GET /livez HTTP/1.1', [host, `Expect: ${value}`]), 'Expect');
    },
  );

  it('is refused before the body is read, and nothing is written', async () => {
    const body = JSON.stringify(leadInput({ name: 'Unexpected' }));
    const lines = [
      host,
      token,
      'Expect: x',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    expectRefusal(await ask('POST /v1/leads HTTP/1.1', lines, body), 'Expect');
    expect((await client.get('/leads?search=Unexpected').expect(200)).body.meta.total).toBe(0);
  });

  it('means nothing in HTTP/1.0', async () => {
    expect((await ask('GET /v1/leads HTTP/1.0', [host, token, 'Expect: x'])).status).toBe(200);
  });

  it('works as 100-continue, in any case', async () => {
    for (const expectation of ['100-continue', '100-Continue']) {
      const statuses: (number | undefined)[] = [];
      await new Promise<void>((resolve, reject) => {
        const post = httpRequest(`${app.url}/v1/leads`, {
          method: 'POST',
          headers: { ...client.headers, 'Content-Type': 'application/json', Expect: expectation },
        });
        post.on('continue', () => {
          statuses.push(100);
          post.end(JSON.stringify(leadInput()));
        });
        post.on('response', (response) => {
          statuses.push(response.statusCode);
          response.resume().on('end', resolve);
        });
        post.on('error', reject);
        post.flushHeaders();
      });
      expect(statuses).toEqual([100, 201]);
    }
  });
});

describe('an empty header', () => {
  const names = ['Accept', 'Accept-Encoding', 'Content-Encoding', 'Dry-Run', 'Expect', 'Idempotency-Key'];
  const all = [...names, 'If-Match', 'If-None-Match', 'Simulate', 'X-API-Key', 'X-Request-Id', 'traceparent'];
  const empty = all.map((name) => `${name}:`);

  it('counts as absent in a read', async () => {
    expect((await list('Host: api.test', ...empty)).status).toBe(200);
  });

  it.each(all)('counts as absent in a write: %s', async (name) => {
    const body = JSON.stringify(leadInput());
    const lines = [
      token,
      'Host: api.test',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const answer = await ask('POST /v1/leads HTTP/1.1', [...lines, `${name}: `], body);
    expect(answer.status).toBe(201);
    const { id } = JSON.parse(answer.body).data;
    await client.get(`/leads/${id}`).expect(200);
    await client.patch(`/leads/${id}`, { name: 'Grace' }).set(name, '').expect(200);
    await client.delete(`/leads/${id}`).set(name, '').expect(204);
  });

  it('is still a repeated one beside another', async () => {
    expectRefusal(await list('Host: api.test', 'Idempotency-Key:', 'Idempotency-Key: a'), 'Idempotency-Key');
    expect((await list('Host: api.test', 'If-None-Match:', 'If-None-Match: *')).status).toBe(200);
  });

  it('is none for a credential', async () => {
    const { status, body } = await ask('GET /v1/leads HTTP/1.1', [
      'Host: api.test',
      'X-API-Key:',
      'Authorization:',
    ]);
    expect([status, JSON.parse(body).code]).toEqual([401, 'token_missing']);
  });
});

describe('charset', () => {
  it.each(['utf8', 'UTF8', 'utf-8', '"UTF-8"', 'Utf8'])('%s is UTF-8', async (charset) => {
    const type = `application/json; charset=${charset}`;
    const { body } = await client
      .post('/leads', leadInput({ name: 'Zoë' }))
      .type(type)
      .expect(201);
    expect(body.data.name).toBe('Zoë');
  });
});
