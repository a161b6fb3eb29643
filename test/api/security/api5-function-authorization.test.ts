/**
 * OWASP API5:2023, broken function level authorization. That each operation needs its scopes is tested for all of them in
 * test/contract/credentials.test.ts; here are the ways around.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import { createLead } from '../../support/factories.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

describe('a request', () => {
  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'is of the method that it says, not of the one in %s',
    async (header) => {
      const client = await app.client(allScopes);
      const { id } = await createLead(client);
      await client.get(`/leads/${id}`).set(header, 'DELETE').expect(200);
      await client.patch(`/leads/${id}`, {}).set(header, 'DELETE').expect(200);
      await client.get(`/leads/${id}`).expect(200);
      const reader = await app.client(['read']);
      await reader.post('/leads', {}).set(header, 'GET').expect(403);
      await client.get(`/leads/${id}?_method=DELETE`).expect(400);
    },
  );

  it.each(['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Forwarded-Uri'])(
    'is for the path that it names, not for the one in %s',
    async (header) => {
      const reader = await app.client(['leads:read']);
      const { id, email } = await createLead(await app.client());
      const { body } = await reader.get(`/leads?email=${email}`).set(header, '/v1/clients').expect(200);
      expect(body.data).toMatchObject([{ id, email }]);
      await reader.get('/clients').set(header, '/v1/leads').expect(403);
    },
  );

  it.each([
    '/CLIENTS',
    '/clients/',
    '/./clients',
    '/leads/../clients',
    '/leads%2f..%2fclients',
    '/clients;x',
  ])('gets no further with another spelling of the path: %s', async (path) => {
    const reader = await app.client(['leads:read']);
    // Not with fetch, which would normalize the path.
    const answer = await sendRaw(app.url, requestHead('GET', `/v1${path}`, reader.headers));
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([404, 'not_found']);
  });
});

describe('the operations of the sandbox', () => {
  const ofSandbox = Object.values(operations).filter(({ environments }) => environments.length === 1);

  it.each(ofSandbox.map(({ method, path }) => [method, path]))(
    'do not exist in production, whatever the scopes: %s %s',
    async (method, path) => {
      const client = await app.client(allScopes);
      const { id } = await createLead(client);
      const { body } = await client[method as 'post'](path, {}).expect(404);
      expect(body.code).toBe('not_found');
      await client.get(`/leads/${id}`).expect(200);
    },
  );
});

describe('a client', () => {
  it('gives nobody more than it has: no client without admin makes clients or keys', async () => {
    const client = await app.client(['read', 'write']);
    const { body: me } = await client.get('/auth/me').expect(200);
    const key = { name: 'Mine', scopes: ['admin'] };
    for (const request of [
      client.post('/clients', { name: 'Mine', scopes: ['admin'] }),
      client.post(`/clients/${me.data.client_id}/keys`, key),
      client.post(`/clients/${me.data.client_id}/rotate-secret`),
      client.get('/clients'),
      client.get('/audit-log'),
    ]) {
      const { body } = await request.expect(403);
      expect(body.required_scope).toBe('admin');
    }
    const credentials = await app.credentials(['read', 'write']);
    const asked = { grant_type: 'client_credentials', ...credentials, scope: 'read write admin' };
    await app.anonymous.post('/auth/token', asked).expect(422);
  });
});
