import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiHeaders } from '../../../src/http/security.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

const LIMIT = 256 * 1024;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

/** A valid lead as JSON text of so many bytes. */
function leadOfSize(bytes: number): string {
  const text = JSON.stringify(leadInput());
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
}

describe('every error', () => {
  it.each([
    [400, 'invalid_parameter', () => client.get('/leads?per_page=101')],
    [400, 'invalid_json', () => client.post('/leads', '{')],
    [401, 'token_missing', () => app.anonymous.get('/leads')],
    [404, 'not_found', () => client.get('/leads/lead_01h455vb4pex5vsknk084sn02q')],
    [404, 'not_found', () => client.get('/nothing')],
    [405, 'method_not_allowed', () => client.put('/leads', {})],
    [406, 'not_acceptable', () => client.get('/leads').set('Accept', 'text/html')],
    [413, 'body_too_large', () => client.post('/leads', leadOfSize(LIMIT + 1))],
    [414, 'uri_too_long', () => client.get(`/leads?search=${'a'.repeat(8192)}`)],
    [415, 'unsupported_media_type', () => client.post('/leads', 'a').set('Content-Type', 'text/plain')],
    [422, 'validation_failed', () => client.post('/leads', {})],
  ])('is JSON with message, code and request_id: %i %s', async (status, code, send) => {
    const { body, headers } = await send().set('X-Request-Id', 'errors-test-1').expect(status);
    expect(body).toMatchObject({ message: expect.stringMatching(/./), code, request_id: 'errors-test-1' });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-environment': 'production',
    });
  });

  it('that follows from the version sent is 412', async () => {
    const { id } = await createLead(client);
    const { body } = await client.patch(`/leads/${id}`, { name: 'B' }).set('If-Match', '"7"').expect(412);
    expect(body.code).toBe('version_mismatch');
  });

  it('outside the base URLs is the same JSON', async () => {
    const root = app.anonymous.at(app.url);
    for (const path of ['/v2/leads', '/sandbox', '/v1x', '/favicon.png', '/docs/%zz', '/%zz', '/V1/leads']) {
      const { body } = await root.get(path).expect(404);
      expect(body).toMatchObject({
        code: 'not_found',
        message: expect.any(String),
        request_id: expect.any(String),
      });
    }
    expect((await root.post('/livez').expect(404)).body.code).toBe('not_found');
  });

  it('is the same JSON whatever is asked of the docs', async () => {
    for (const [method, path] of [
      ['GET', '/docs/%2e%2e/package.json'],
      ['GET', '/docs/package.json'],
      ['GET', '/docs/%2e%2e/'],
      ['GET', '/docs/.'],
      ['GET', '/docs/%2e'],
      ['GET', '/docs//'],
      ['GET', '/docs/%'],
      ['GET', '/docs/swagger-ui.css/'],
      ['GET', '/docs/LICENSE'],
      ['GET', '/docs/nothing.js'],
      ['GET', '/docs/dist/docs.css'],
      ['POST', '/docs/swagger-ui.css'],
      ['GET', '/dashboard/%2e%2e/build.ts'],
      ['GET', '/guides/%2e%2e/pages.ts'],
      ['GET', '/livez/x'],
    ] as const) {
      const { status, ...answer } = await sendRaw(app.url, requestHead(method, path));
      expect(status, path).toBe(404);
      expect(answer.headers['content-type'], path).toBe('application/json; charset=utf-8');
      expect(JSON.parse(answer.body), path).toMatchObject({
        code: 'not_found',
        message: expect.any(String),
        request_id: expect.any(String),
      });
    }
  });

  it.each([
    ['/leads/', ', whose path has an empty segment. Did you mean /v1/leads?'],
    [
      '/leads/lead_01h455vb4pex5vsknk084sn02q/',
      ', whose path has an empty segment. Did you mean /v1/leads/lead_01h455vb4pex5vsknk084sn02q?',
    ],
    ['/auth/token/', ', whose path has an empty segment. Did you mean /v1/auth/token?'],
    ['//leads', ', whose path has an empty segment. Did you mean /v1/leads?'],
    ['/leads//', ', whose path has an empty segment. Did you mean /v1/leads?'],
    ['///leads///', ', whose path has an empty segment. Did you mean /v1/leads?'],
    ['/leads//convert', ', whose path has an empty segment.'],
    ['/webhooks//deliveries/', ', whose path has an empty segment.'],
    ['/nothing/', ', whose path has an empty segment.'],
    ['/nothing', '.'],
    ['/', '.'],
  ])('names the alternatives to %s', async (path, end) => {
    for (const method of ['get', 'post', 'patch', 'delete'] as const) {
      const { body } = await client[method](path).expect(404);
      expect(body).toMatchObject({ code: 'not_found', message: `There is nothing at /v1${path}${end}` });
    }
    const doubled = await app.anonymous.at(app.url).get(`//v1${path}`).expect(404);
    expect(doubled.body.message).toContain(
      `There is nothing at //v1${path}, whose path has an empty segment.`,
    );
  });

  it('says where the API is, to those who forget the base path', async () => {
    const { body } = await app.anonymous.at(app.url).get('/leads').expect(404);
    expect(body.message).toBe(
      'There is nothing at /leads. The API is at /v1 and /sandbox/v1, the guides are at /guides/.',
    );
  });

  it('of Node itself is the same JSON', async () => {
    const huge = await sendRaw(app.url, requestHead('GET', '/v1/leads', { 'X-Huge': 'a'.repeat(300_000) }));
    expect(huge.status).toBe(431);
    expect(JSON.parse(huge.body)).toMatchObject({
      code: 'headers_too_large',
      request_id: expect.any(String),
    });
    const broken = await sendRaw(app.url, 'WHAT IS THIS\r\n\r\n');
    expect(broken.status).toBe(400);
    expect(JSON.parse(broken.body)).toMatchObject({
      code: 'invalid_request',
      request_id: expect.any(String),
    });
    for (const { headers } of [huge, broken]) {
      expect(headers).toMatchObject({
        ...Object.fromEntries(
          Object.entries(apiHeaders(true)).map(([name, value]) => [name.toLowerCase(), value]),
        ),
        'cache-control': 'no-store',
        date: expect.stringMatching(/GMT$/),
        'x-request-id': expect.any(String),
      });
    }
    for (const [target, status, code] of [
      ['http://[/', 400, 'invalid_request'],
      ['http://[::1/v1/leads', 400, 'invalid_request'],
      ['http://a:b/', 404, 'not_found'],
    ] as const) {
      const unroutable = await sendRaw(app.url, requestHead('GET', target));
      expect(unroutable.status, target).toBe(status);
      expect(JSON.parse(unroutable.body)).toMatchObject({ code, request_id: expect.any(String) });
    }
  });
});

describe('a request that Node rejects', () => {
  it.each([
    ['/v1/leads', 'production'],
    ['/v1/leads?page=1', 'production'],
    ['/sandbox/v1/leads', 'sandbox'],
    ['/v1x/leads', undefined],
    ['/livez', undefined],
  ])("gets a response with its path's environment: %s", async (target, environment) => {
    const tooLarge = await sendRaw(app.url, requestHead('GET', target, { 'X-Large': 'a'.repeat(30_000) }));
    // Outside the environments, only Node's own limit applies.
    expect([tooLarge.status === 431, tooLarge.headers['x-environment']]).toEqual([
      environment !== undefined,
      environment,
    ]);
    const invalid = await sendRaw(app.url, requestHead('GET', target, { 'X Y': 'z' }));
    expect([invalid.status, invalid.headers['x-environment']]).toEqual([400, environment]);
    const chunked = requestHead('POST', target, { 'Transfer-Encoding': 'chunked' });
    const broken = await sendRaw(app.url, `${chunked}zz\r\n`);
    expect([broken.status >= 400, broken.headers['x-environment']]).toEqual([true, environment]);
  });

  it('is 431 at a byte above 24 KiB', async () => {
    const head = (size: number) => requestHead('GET', '/v1/leads', { 'X-Large': 'a'.repeat(size) });
    // The empty line at the end is not counted.
    const most = 24 * 1024 - (head(0).length - 2);
    expect((await sendRaw(app.url, head(most))).status).toBe(401);
    const { status, body } = await sendRaw(app.url, head(most + 1));
    expect([status, JSON.parse(body).code]).toEqual([431, 'headers_too_large']);
  });
});
