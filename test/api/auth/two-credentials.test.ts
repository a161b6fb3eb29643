/** A request may show its credentials in two places. Then both must be valid and of one client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

async function codeOf(client: TestClient): Promise<number | string> {
  const { status, body } = await client.get('/auth/me');
  return status === 200 ? status : body.code;
}

function newKey(clientId: string) {
  return issueApiKey(app.production, { clientId, name: 'Test', scopes: undefined, expiresAt: null });
}

describe('an API key', () => {
  it('beside a token must be valid and of the same client, and the token acts', async () => {
    const token = await app.client(['leads:read']);
    const { client_id } = (await token.get('/auth/me').expect(200)).body.data;
    const own = await newKey(client_id);
    const both = (key: string) => token.with({ 'X-API-Key': key });
    const { data } = (await both(own.api_key).get('/auth/me').expect(200)).body;
    expect(data).toMatchObject({
      client_id,
      credential: 'token',
      scopes: ['leads:read'],
      key: { id: own.key_id, name: 'Test' },
    });
    const { client_id: other } = await app.credentials();
    const [foreign, revoked] = [await newKey(other), await newKey(client_id)];
    await app.anonymous.post('/auth/revoke', { token: revoked.api_key }).expect(200);
    for (const wrong of [foreign.api_key, 'x', `${own.api_key}x`]) {
      expect(await codeOf(both(wrong))).toBe('token_invalid');
    }
    expect(await codeOf(both(revoked.api_key))).toBe('token_revoked');
    await app.anonymous.post('/auth/revoke', { token: own.api_key }).expect(200);
    expect(await codeOf(both(own.api_key))).toBe('token_revoked');
    await token.get('/auth/me').expect(200);
  });
});

describe('a good API key', () => {
  it('beside a token that is wrong, revoked or of another client is a 401', async () => {
    const credentials = await app.credentials(['leads:read']);
    const { api_key } = await newKey(credentials.client_id);
    const beside = (Authorization: string) => app.anonymous.with({ 'X-API-Key': api_key, Authorization });
    for (const wrong of ['Bearer x', 'Bearer ', 'Basic eDp5', 'x']) {
      expect(await codeOf(beside(wrong)), wrong).toBe('token_invalid');
    }
    const { Authorization: foreign = '' } = (await app.client(['leads:read'])).headers;
    expect(await codeOf(beside(foreign))).toBe('token_invalid');
    const grant = { grant_type: 'client_credentials', ...credentials };
    const token: string = (await app.anonymous.post('/auth/token', grant).expect(200)).body.access_token;
    expect(await codeOf(beside(`Bearer ${token}`))).toBe(200);
    await app.anonymous.post('/auth/revoke', { token, ...credentials }).expect(200);
    expect(await codeOf(beside(`Bearer ${token}`))).toBe('token_revoked');
    expect(await codeOf(app.anonymous.with({ 'X-API-Key': api_key }))).toBe(200);
  });
});

it('a token that is sent for both schemes, as some generated clients do, is one credential', async () => {
  const client = await app.client(['leads:read']);
  const token = client.headers.Authorization?.replace('Bearer ', '') ?? '';
  const { data } = (await client.with({ 'X-API-Key': token }).get('/auth/me').expect(200)).body;
  expect(data).toMatchObject({ credential: 'token', key: null });
});

describe('POST /auth/token', () => {
  it('takes credentials by HTTP Basic and in the body only if they are the same', async () => {
    const [own, other] = [await app.credentials(), await app.credentials()];
    const exchange = (body: object) =>
      app.anonymous
        .post('/auth/token', { grant_type: 'client_credentials', ...body })
        .set(
          'Authorization',
          `Basic ${Buffer.from(`${own.client_id}:${own.client_secret}`).toString('base64')}`,
        );
    await exchange({ client_id: own.client_id }).expect(200);
    await exchange(own).expect(200);
    for (const body of [other, { client_id: other.client_id }, { ...own, client_secret: 'wrong' }]) {
      expect((await exchange(body).expect(401)).body.code).toBe('invalid_client');
    }
  });
});
