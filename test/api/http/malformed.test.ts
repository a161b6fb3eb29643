import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { malformedRequests } from '../../support/malformed.ts';
import { type RawAnswer, requestHead, sendRaw } from '../../support/raw.ts';

const SEED = 20261120;
const COUNT = 2_000;
const AT_ONCE = 8;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

/** What is wrong with this response to a request that may have any error. Undefined if nothing is. */
function faultOf({ status, headers, body }: RawAnswer, method: string): string | undefined {
  if (status === 0) return 'no answer';
  if (status >= 500) return `status ${status}`;
  if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
  if (body === '') return status < 400 || method === 'HEAD' ? undefined : 'an error without a body';
  // An export.
  if (status === 200 && headers['content-type']?.startsWith('text/csv')) return undefined;
  if (!headers['content-type']?.startsWith('application/json')) return `a body of ${headers['content-type']}`;
  const answer: Record<string, unknown> = JSON.parse(body);
  const isWhole = ['message', 'code', 'request_id'].every((name) => typeof answer[name] === 'string');
  return status < 400 || isWhole ? undefined : 'an error body without message, code or request_id';
}

describe('two thousand malformed requests', () => {
  it('get no 5xx, no HTML and always a whole JSON error, and the service goes on', async () => {
    const leads = await Promise.all(Array.from({ length: 20 }, () => createLead(client)));
    const token = client.headers.Authorization?.slice('Bearer '.length) ?? '';
    const requests = malformedRequests(SEED, COUNT, { token, ids: leads.map(({ id }) => id) });
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    async function work(): Promise<void> {
      for (const { method, bytes } of requests) {
        const answer = await sendRaw(app.url, bytes);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const fault = faultOf(answer, method);
        if (fault !== undefined) faults.push(`${fault}: ${bytes.toString('latin1', 0, 300)} ${answer.body}`);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(faults).toEqual([]);
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(COUNT);
    for (const status of [200, 400, 401, 404, 405, 406, 415, 422]) {
      expect(statuses.get(status), `answers with ${status}`).toBeGreaterThanOrEqual(5);
    }
    const lead = await createLead(client, { name: 'Afterwards' });
    expect((await client.get(`/leads/${lead.id}`).expect(200)).body.data.name).toBe('Afterwards');
  }, 60_000);
});

describe('one request', () => {
  const many = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => item(i)).join();

  it.each([
    [400, '60,000 tags of the wrong type', `{"tags":[${many(60_000, () => '0')}]}`],
    [400, '28,000 tags with NUL', `{"tags":[${many(28_000, () => '"\\u0000"')}]}`],
    [400, '20,000 unknown fields', `{${many(20_000, (index) => `"k${index}":0`)}}`],
    [400, '20,000 texts of the wrong type', `{"metadata":{${many(20_000, (index) => `"k${index}":0`)}}}`],
    [400, '20,000 texts too many', `{"metadata":{${many(20_000, (index) => `"k${index}":""`)}}}`],
    [422, 'a domain of dashes', `{"email":"a@${'a-'.repeat(120_000)}"}`],
    [422, 'a domain of dots', `{"email":"a@${'a.'.repeat(120_000)}"}`],
    [422, 'an address without an at sign', `{"email":"${'a.'.repeat(120_000)}"}`],
    [422, 'a name of spaces', `{"name":"${' '.repeat(250_000)}"}`],
    [422, 'a key of 250,000 characters', `{"${'k'.repeat(250_000)}":0}`],
    [422, 'a number of 250,000 digits', `{"name":${'1'.repeat(250_000)}}`],
    [400, '120,000 levels', `{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}`],
  ])('is rejected with %i within a second: %s', async (status, _what, body) => {
    const start = performance.now();
    const { text } = await client.post('/leads', body).expect(status);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(text.length).toBeLessThan(600_000);
  });

  it('is refused within a second: a form of 120,000 fields', async () => {
    const start = performance.now();
    const form = `${many(60_000, (index) => `${index}=`).replaceAll(',', '&')}&grant_type=client_credentials`;
    await client.post('/auth/token', form).type('application/x-www-form-urlencoded').expect(413);
    await client
      .post('/auth/token', form.slice(-200_000))
      .type('application/x-www-form-urlencoded')
      .expect(400);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('requests that no client library would send', () => {
  const authorized = (headers: Record<string, string>) => ({
    ...client.headers,
    'Content-Type': 'application/json',
    ...headers,
  });
  const post = (headers: Record<string, string>, body: string) =>
    sendRaw(app.url, requestHead('POST', '/v1/leads', authorized(headers)) + body);

  it('are refused when their framing could be read in two ways', async () => {
    const body = JSON.stringify(leadInput({ name: 'Smuggled' }));
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const length = String(body.length);
    for (const answer of await Promise.all([
      post({ 'Content-Length': length, 'Transfer-Encoding': 'chunked' }, chunked),
      post({ 'Transfer-Encoding': 'chunked, identity' }, chunked),
      post({ 'Transfer-Encoding': 'xchunked' }, chunked),
      post({ 'Transfer-Encoding': 'chunked' }, 'zz\r\n{}\r\n0\r\n\r\n'),
      post({ 'Content-Length': '-1' }, body),
      post({ 'Content-Length': `${length}, 5` }, body),
      post({ 'Content-Length': `${length}\r\nContent-Length: 5` }, body),
      post({ 'Content-Length ': length }, body),
      post({ 'X-A': 'b\u0000c', 'Content-Length': length }, body),
      post({ 'X-A': 'b\nX-B: c\rd', 'Content-Length': length }, body),
    ])) {
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({
        code: 'invalid_request',
        request_id: expect.any(String),
      });
    }
    expect((await client.get('/leads?search=Smuggled').expect(200)).body.meta.total).toBe(0);
  });

  it('do not let a second request hide in the body of the first', async () => {
    const hidden = requestHead('DELETE', `/v1/leads/${(await createLead(client)).id}`, client.headers);
    const { body, status } = await post({ 'Content-Length': String(hidden.length) }, hidden);
    expect(status).toBe(400);
    expect(JSON.parse(body).code).toBe('invalid_json');
    expect((await client.get('/leads').expect(200)).body.meta.total).toBeGreaterThan(0);
  });

  it('write nothing and get no answer when the connection ends before the body', async () => {
    const body = JSON.stringify(leadInput({ name: 'Unfinished' }));
    const head = requestHead('POST', '/v1/leads', authorized({ 'Content-Length': `${body.length + 1}` }));
    expect((await sendRaw(app.url, head + body, { end: true })).status).toBe(0);
    expect((await client.get('/leads?search=Unfinished').expect(200)).body.meta.total).toBe(0);
  });

  it('may be HTTP/1.0 or name the whole URL', async () => {
    const head = requestHead('GET', `${app.url}/v1/leads`, client.headers);
    expect((await sendRaw(app.url, head)).status).toBe(200);
    expect((await sendRaw(app.url, head.replace('HTTP/1.1', 'HTTP/1.0'))).status).toBe(200);
    const star = await sendRaw(app.url, requestHead('OPTIONS', '*'));
    expect(star.status).toBe(404);
    expect(JSON.parse(star.body).code).toBe('not_found');
  });

  it('must name a host and use a method of HTTP', async () => {
    expect((await sendRaw(app.url, 'GET /v1/leads HTTP/1.1\r\n\r\n')).status).toBe(400);
    expect((await sendRaw(app.url, requestHead('BREW', '/v1/leads'))).status).toBe(400);
    expect((await sendRaw(app.url, requestHead('CONNECT', 'example.com:443'))).status).toBe(0);
    expect(
      (await sendRaw(app.url, requestHead('GET', '/v1/leads').replace('HTTP/1.1', 'HTTP/9.9'))).status,
    ).toBe(400);
  });
});
