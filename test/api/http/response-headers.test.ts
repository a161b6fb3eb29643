/** Proxies reject a response whose headers exceed their buffer, by default 4 KiB in nginx. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { followLink, insertLeads, parseLinks } from '../../support/lists.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

const LIMIT = 3.5 * 1024;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const lead = { name: '漢'.repeat(150), metadata: { key: '漢'.repeat(120) } };
  await insertLeads(
    app.production.knex,
    Array.from({ length: 5 }, () => lead),
  );
});

afterAll(() => app.close());

/** The size of a response's head. Bytes. */
async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const head = requestHead(method, path, { ...client.headers, ...headers });
  const answer = await sendRaw(app.url, head);
  const size = Object.entries(answer.headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  );
  return { ...answer, size };
}

const han = (length: number) => encodeURIComponent('漢'.repeat(length));

describe('The Link of a list with long parameters', () => {
  it.each([
    ['all pages', 40, ['first', 'next', 'last', 'prev']],
    ['the next and the previous page', 90, ['next', 'prev']],
    ['the next page', 150, ['next']],
  ])('names %s', async (_, length, rels) => {
    const path = `/v1/leads?search=${han(length)}&per_page=1&page=2`;
    const { status, size, headers } = await ask('GET', path);
    expect([status, size < LIMIT]).toEqual([200, true]);
    const links = parseLinks(headers.link ?? '');
    expect(Object.keys(links).toSorted()).toEqual(rels.toSorted());
    expect((await followLink(client, links.next ?? '')).meta.current_page).toBe(3);
  });

  it('is absent where even the link to the next page would be too long, but the body still has the cursor', async () => {
    const path = `/v1/leads?search=${han(150)}&metadata[key]=${han(120)}&per_page=1`;
    const { status, size, headers, body } = await ask('GET', path);
    expect([status, size < LIMIT, headers.link]).toEqual([200, true, undefined]);
    const { meta } = JSON.parse(body);
    const second = await ask('GET', `${path}&cursor=${meta.next_cursor}`);
    expect(JSON.parse(second.body).meta).toMatchObject({ total: 5, current_page: 2 });
  });
});

describe('A response repeats at most 3.5 KiB', () => {
  const long = 'x'.repeat(7_000);
  it.each([
    ['of a query', 'GET', `/v1/leads?${long}=1`, {}, 400],
    ['of a path', 'GET', `/v1/${long}`, {}, 404],
    ['of a path outside of the API', 'GET', `/${long}`, {}, 404],
    ['of an id', 'GET', `/v1/leads/${long}`, {}, 404],
    ['of a request id', 'GET', '/v1/leads', { 'X-Request-Id': long }, 200],
    ['of a trace', 'GET', '/v1/leads', { tracestate: long, traceparent: long }, 200],
    ['of a method', 'GET', '/v1/auth/token', {}, 405],
    ['of an origin', 'GET', '/v1/leads', { Origin: `https://${long}` }, 200],
    ['of a token', 'GET', '/v1/leads', { Authorization: `Bearer ${long}` }, 401],
    ['of a client id', 'POST', '/v1/auth/token', { Authorization: `Basic ${btoa(`${long}:x`)}` }, 415],
    ['of a media type', 'GET', '/v1/leads', { Accept: long }, 406],
    ['of requested headers', 'OPTIONS', '/v1/leads', { 'Access-Control-Request-Headers': long }, 204],
    ['of requested headers outside', 'OPTIONS', '/docs/', { 'Access-Control-Request-Headers': long }, 200],
  ])('%s', async (_, method, path, headers, status) => {
    const answer = await ask(method, path, headers as Record<string, string>);
    expect([answer.status, answer.size < LIMIT]).toEqual([status, true]);
  });
});
