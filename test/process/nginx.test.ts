/** The service behind nginx, with the shipped configuration. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Operation, operations } from '../../generated/operations.ts';
import { headersTooLarge } from '../../src/http/validation/request-headers.ts';
import { freePort } from '../../src/process/free-port.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { leadInput } from '../support/factories.ts';
import { insertLeads } from '../support/lists.ts';
import { type Nginx, site, startNginx } from '../support/nginx.ts';
import { missing } from '../support/programs.ts';
import { requestHead, sendRaw } from '../support/raw.ts';

const skipped = missing('nginx');
const READ_TIMEOUT = 8;

let app: TestApp;
let nginx: Nginx;
let anonymous: TestClient;
let client: TestClient;

beforeAll(async () => {
  if (skipped !== undefined) return;
  app = await startTestApp({ trustProxy: 1 });
  nginx = await startNginx([Number(new URL(app.url).port)], READ_TIMEOUT);
  anonymous = new TestClient(`${nginx.url}/v1`);
  const grant = { grant_type: 'client_credentials', ...(await app.credentials()) };
  const { body } = await anonymous.post('/auth/token', grant).expect(200);
  client = anonymous.with({ Authorization: `Bearer ${body.access_token}` });
});
beforeEach(({ skip }) => {
  if (skipped !== undefined) skip(skipped);
});
afterAll(async () => {
  await nginx?.close();
  await app?.close();
});

const withBody = Object.values<Operation>(operations).filter(
  ({ consumes, environments }) => consumes.length > 0 && environments.includes('production'),
);
/** The largest body of an operation. A form with files may be larger than another body. */
const limitOf = ({ bodyLimit, multipartLimit }: Operation) => Math.max(bodyLimit, multipartLimit ?? 0);
/** One operation for each path and body limit. */
const limits = Object.values(
  Object.groupBy(
    withBody,
    (operation) => `${operation.path.replaceAll(/{\w+}/g, 'x')} ${limitOf(operation)}`,
  ),
).flatMap((group = []) => group.slice(0, 1));

/** The head of a request that announces a body of this size. */
const headOf = ({ method, path, consumes: [type = ''] }: Operation, bytes: number, headers = {}) =>
  requestHead(method.toUpperCase(), `/v1${path.replaceAll(/{\w+}/g, 'x')}`, {
    'Content-Type': type,
    'Content-Length': String(bytes),
    ...headers,
  });

const filesOf = (folder: string) => readdirSync(join(nginx.folder, folder), { recursive: true });

describe('The shipped nginx', () => {
  it('passes on the longest searches, and marks no process as down', async () => {
    const name = '漢'.repeat(200);
    await insertLeads(app.production.knex, [{ name }, { name }, { name }]);
    const search = `search=${encodeURIComponent(name)}`;
    const filters = `metadata[a]=${'x'.repeat(400)}&metadata[b]=${'x'.repeat(400)}`;
    for (let round = 0; round < 5; round += 1) {
      const { body } = await client.get(`/leads?${search}&per_page=1&page=2`).expect(200);
      expect(body.meta.total).toBe(3);
      await client.get(`/leads?${search}&${filters}&per_page=1`).expect(200);
      await client.get('/auth/me').expect(200);
    }
  });

  it.each(limits)(
    'passes on a body of $method $path up to its limit, and rejects a larger one',
    async (operation) => {
      const limit = limitOf(operation);
      const isRead = operation.path === '/auth/token' || operation.path === '/auth/revoke';
      const body = isRead ? ' '.repeat(limit) : '';
      const taken = await sendRaw(nginx.url, headOf(operation, limit) + body);
      expect(taken.status).toBe(isRead ? 400 : operation.scopes === null ? 404 : 401);
      expect(taken.headers['x-environment']).toBe('production');
      const refused = await sendRaw(nginx.url, headOf(operation, limit + 1));
      expect(refused.status).toBe(413);
      expect(refused.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      });
      expect(JSON.parse(refused.body)).toEqual({
        message: 'The body is larger than this operation takes.',
        code: 'body_too_large',
        request_id: refused.headers['x-request-id'],
      });
    },
  );

  it('has no other sizes of bodies than the contract, and passes on longer headers than the service takes', () => {
    const units: Record<string, number> = { k: 2 ** 10, m: 2 ** 20 };
    const bytes = (size: string, unit: string) => Number(size) * (units[unit] ?? 1);
    const sizes = [...site.matchAll(/client_max_body_size (\d+)([km]);/g)].map(([, size = '', unit = '']) =>
      bytes(size, unit),
    );
    expect(new Set(sizes)).toEqual(new Set(withBody.map(limitOf)));
    const [, size = '', unit = ''] = /large_client_header_buffers 4 (\d+)(k);/.exec(site) ?? [];
    const [, taken = ''] = /(\d+) KiB/.exec(headersTooLarge) ?? [];
    expect(bytes(size, unit)).toBeGreaterThan(Number(taken) * 2 ** 10);
  });

  it.each([
    ['without a key', {}],
    ['with a key', { 'Idempotency-Key': 'key-of-a-stranger' }],
  ])('stores no body of an unauthenticated request: %s', async (_, headers) => {
    for (const operation of withBody.filter(({ scopes }) => scopes !== null)) {
      const started = headOf(operation, 200_000, headers) + 'x'.repeat(150_000);
      const { status, body } = await sendRaw(nginx.url, started);
      expect([status, JSON.parse(body).code]).toEqual([401, 'token_missing']);
    }
    expect(filesOf('client_body')).toEqual([]);
  });

  it('passes on a batch of several megabytes', async () => {
    const metadata = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, 'x'.repeat(500)]));
    const items = Array.from({ length: 1_000 }, () => leadInput({ metadata }));
    const { body } = await client.post('/leads/batch/create', { items }).expect(200);
    expect(body.meta).toMatchObject({ created: 1_000 });
  });

  it('passes on a small write with an Idempotency-Key, and one without', async () => {
    const input = leadInput();
    const keyed = () => client.post('/leads', input).set('Idempotency-Key', 'small').expect(201);
    const [first, second] = [await keyed(), await keyed()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    await client.post('/leads', leadInput()).expect(201);
    await client.patch('/leads/external/small', leadInput()).expect(201);
  });

  it.each([
    ['an unsupported method', 'TRACE /v1/leads HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['malformed HTTP', 'GET /v1/leads HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'invalid_request'],
    ['its internal error page', 'GET /.error HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'not_found'],
    ['a path above the root', 'GET /../v1 HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'invalid_request'],
    ['a long URL', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414, 'uri_too_long'],
    [
      'a large header',
      `GET / HTTP/1.1\r\nHost: a\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'an unknown encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n',
      400,
      'invalid_request',
    ],
  ])('answers %s in the usual error format', async (_, request, status, code) => {
    const answer = await sendRaw(nginx.url, request);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { message: expect.any(String), code, request_id: answer.headers['x-request-id'] },
    ]);
  });

  it('answers 503 in the usual error format when no process is reachable, and logs it without the path', async () => {
    const alone = await startNginx([await freePort()], READ_TIMEOUT);
    try {
      const { headers, body } = await anonymous.at(`${alone.url}/v1`).get('/leads').expect(503);
      expect(headers['retry-after']).toBe('2');
      expect(body).toMatchObject({ code: 'unavailable', request_id: headers['x-request-id'] });
      // The path of an inbound hook is a secret, and a query may contain an address.
      const hook = anonymous.at(`${alone.url}/v1`);
      await hook.post('/hooks/a-secret-token?email=ada@example.com').send({}).expect(503);
      const logs = () => {
        const names = readdirSync(alone.folder).filter((name) => name.endsWith('.log'));
        return names.map((name) => readFileSync(join(alone.folder, name), 'utf8')).join('');
      };
      // nginx writes a request's line after its answer.
      await vi.waitFor(() => expect(logs().match(/ 503 /g)).toHaveLength(2), 10_000);
      const text = logs();
      expect(text).toContain(`request_id=${headers['x-request-id']}`);
      expect(text).not.toMatch(/hooks|a-secret-token|ada@/);
    } finally {
      await alone.close();
    }
  });
});
