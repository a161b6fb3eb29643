import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';
import { sendRaw } from '../../support/raw.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** One newline, so that a shell's prompt does not follow curl's JSON. */
function expectNewline(text: string): void {
  expect(text).toMatch(/[^\n]\n$/);
  JSON.parse(text);
}

it.each([
  ['a list', () => client.get('/leads')],
  ['a resource', () => client.post('/leads', leadInput())],
  ['an error', () => client.get('/nothing')],
  ['an error without a token', () => app.anonymous.get('/leads')],
])('the JSON of %s ends with a newline, which its length counts', async (_, send) => {
  const { text, headers } = await send();
  expectNewline(text);
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
});

it.each([
  '/',
  '/livez',
  '/readyz',
  '/changelog',
  '/openapi.json',
  '/openapi-3.0.json',
  '/.well-known/oauth-authorization-server/v1',
])('so does %s', async (path) => {
  const { text } = await app.anonymous.at(app.url).get(path).expect(200);
  expectNewline(text);
});

it('so does the answer to what is not HTTP', async () => {
  const answer = await sendRaw(app.url, 'GET /v1/leads HTTP/1.1\r\nHost: a b\r\nbad\r\n\r\n');
  expectNewline(answer.body);
});
