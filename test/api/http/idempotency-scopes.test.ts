/** A stored response shows a credential no more than its own request would. All belong to the same client. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { csv, send } from '../../support/imports.ts';

let app: TestApp;
/** A token of the client with these scopes, and its requests with one Idempotency-Key. */
let scoped: (scope: string, key: string) => Promise<TestClient>;

beforeAll(async () => {
  app = await startTestApp();
  const credentials = await app.credentials();
  scoped = async (scope, key) => {
    const grant = { grant_type: 'client_credentials', ...credentials, scope };
    const { body } = await app.anonymous.post('/auth/token', grant).expect(200);
    return app.anonymous.with({ Authorization: `Bearer ${body.access_token}`, 'Idempotency-Key': key });
  };
});

afterAll(() => app.close());

function forbidden(scope: string) {
  return { code: 'insufficient_scope', required_scope: scope, message: expect.stringContaining(scope) };
}

describe.each(['start', 'cancel'])('a stored answer to /imports/{id}/%s', (act) => {
  it.each([
    ['leads', 'leads:write', 'contacts:write users:read'],
    ['contacts', 'contacts:write', 'leads:write'],
  ])('of %s is for those who may do it: %s', async (resource, needed, tooLittle) => {
    const key = randomUUID();
    const all = await scoped('read write', key);
    const file = csv('name,email', `Ada,${randomUUID()}@example.com`);
    const { id } = await send(
      await scoped('read write', randomUUID()),
      file,
      `resource=${resource}&start=false`,
    );
    const path = `/imports/${id}/${act}`;
    const first = await all.post(path, {});
    expect(first.status).toBeLessThan(300);
    const { body, headers } = await (await scoped(tooLittle, key)).post(path, {}).expect(403);
    expect(body).toMatchObject(forbidden(needed));
    expect(headers['www-authenticate']).toContain(`scope="${needed}"`);
    const again = await (await scoped(needed, key)).post(path, {}).expect(first.status);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });
});

describe('a stored answer that shows a lead', () => {
  it.each(['read write', 'leads:write'])(
    'is replayed to those who may repeat the request: %s',
    async (scope) => {
      const key = randomUUID();
      const { id } = await createLead(await app.client());
      const change = { company: 'Acme' };
      const first = await (await scoped('leads:write', key)).patch(`/leads/${id}`, change).expect(200);
      const again = await (await scoped(scope, key)).patch(`/leads/${id}`, change).expect(200);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.text).toBe(first.text);
      await (await scoped('leads:read', key)).patch(`/leads/${id}`, change).expect(403);
    },
  );

  it('is not replayed to a token that was revoked', async () => {
    const key = randomUUID();
    const { client_id, client_secret } = await app.credentials();
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    const { body } = await app.anonymous.post('/auth/token', grant).expect(200);
    const token = body.access_token;
    const client = app.anonymous.with({ Authorization: `Bearer ${token}`, 'Idempotency-Key': key });
    const input = leadInput();
    await client.post('/leads', input).expect(201);
    await app.anonymous.post('/auth/revoke', { token, client_id, client_secret }).expect(200);
    expect((await client.post('/leads', input).expect(401)).body.code).toBe('token_revoked');
  });
});
