import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

const MADE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('X-Request-Id', () => {
  it.each(['12345678', 'a.b_C-9.', 'x'.repeat(64)])('comes back as sent: %s', async (id) => {
    const { headers } = await client.get('/leads').set('X-Request-Id', id).expect(200);
    expect(headers['x-request-id']).toBe(id);
  });

  it.each([
    '',
    '1234567',
    'x'.repeat(65),
    'with space',
    'semi;colon',
    '"quoted-id"',
    'schl\u00fcssel',
    '../../etc/passwd',
  ])('is made afresh when another shape was sent: %j', async (id) => {
    const { headers } = await client.get('/leads').set('X-Request-Id', id).expect(200);
    expect(headers['x-request-id']).toMatch(MADE);
  });

  it('is made afresh when it was sent twice', async () => {
    const twice = requestHead('GET', '/v1/leads', { 'X-Request-Id': '12345678\r\nX-Request-Id: 87654321' });
    expect((await sendRaw(app.url, twice)).headers['x-request-id']).toMatch(MADE);
  });

  it('is another one for each request', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await client.get('/leads')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(10);
  });

  it('is in every response, in every error and with every change that the request made', async () => {
    const as = client.with({ 'X-Request-Id': 'request-42' });
    for (const send of [
      () => as.get('/nothing'),
      () => as.put('/leads', {}),
      () => as.get('/leads?x=1'),
      () => as.post('/leads', '{'),
      () => as.at(app.url).get('/nothing'),
    ]) {
      const { body, headers } = await send();
      expect(body.request_id).toBe('request-42');
      expect(headers['x-request-id']).toBe('request-42');
    }
    const { body, headers } = await as.post('/leads', leadInput()).expect(201);
    expect(headers['x-request-id']).toBe('request-42');
    expect((await as.delete(`/leads/${body.data.id}`).expect(204)).headers['x-request-id']).toBe(
      'request-42',
    );
    expect((await as.at(app.url).get('/livez').expect(200)).headers['x-request-id']).toBe('request-42');
  });
});
