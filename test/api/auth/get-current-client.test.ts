import { createSecretKey } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableClient } from '../../../src/clients/operator.ts';
import { PUBLIC_URL, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { forgeToken } from '../../support/tokens.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

function withToken(token: string): TestClient {
  return app.anonymous.with({ Authorization: `Bearer ${token}` });
}

describe('GET /auth/me', () => {
  it('shows the client of a token, its scopes and its expiry, whatever the scopes', async () => {
    const credentials = await app.credentials(['analytics:read']);
    const { body } = await app.anonymous
      .post('/auth/token', { grant_type: 'client_credentials', ...credentials })
      .expect(200);
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
    const answer = await withToken(body.access_token).get('/auth/me').expect(200);
    expect(answer.body).toEqual({
      data: {
        client_id: credentials.client_id,
        name: 'Test',
        user_id: null,
        environment: 'production',
        scopes: ['analytics:read'],
        limits: { read: 1e6, write: 1e6, batch: 1e6, search: 1e6, analytics: 1e6 },
        credential: 'token',
        key: null,
        expires_at: new Date(claims.exp * 1000).toISOString(),
      },
    });
  });

  it('takes the scheme in any case', async () => {
    const { Authorization = '' } = (await app.client()).headers;
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      await app.anonymous
        .get('/auth/me')
        .set('Authorization', Authorization.replace('Bearer', scheme))
        .expect(200);
    }
  });

  it('accepts a token signed elsewhere with the real key, so the rejections below are due to their changes', async () => {
    const { client_id } = await app.credentials();
    await withToken(await forgeToken(app.production, app.secretKey, client_id))
      .get('/auth/me')
      .expect(200);
  });
});

describe('a token', () => {
  const past = Math.floor(Date.now() / 1000) - 1;

  it.each([
    ['expired a second ago', { claims: { exp: past } }, 'token_expired'],
    ['has no expiry', { claims: { exp: undefined } }, 'token_invalid'],
    ['is not valid yet', { claims: { nbf: past + 600 } }, 'token_invalid'],
    ['is of another issuer', { claims: { iss: 'https://other.test/v1' } }, 'token_invalid'],
    ['is of the sandbox', { claims: { iss: 'https://api.test/sandbox/v1' } }, 'token_invalid'],
    ['is for another audience', { claims: { aud: 'https://api.test/sandbox/v1' } }, 'token_invalid'],
    ['has no subject', { claims: { sub: undefined } }, 'token_invalid'],
    ['has no id', { claims: { jti: undefined } }, 'token_invalid'],
    ['has no scope', { claims: { scope: undefined } }, 'token_invalid'],
    ['is a plain JWT', { header: { typ: 'JWT' } }, 'token_invalid'],
    ['has no type', { header: { typ: undefined } }, 'token_invalid'],
    ['names no key', { header: { kid: undefined } }, 'token_invalid'],
    ['names another key', { header: { kid: 'other' } }, 'token_invalid'],
    [
      'is of a client that does not exist',
      { claims: { sub: 'client_01h455vb4pex5vsknk084sn02q' } },
      'token_revoked',
    ],
    ['is of no client', { claims: { sub: 'root' } }, 'token_revoked'],
  ])('is refused when it %s', async (_what, forgery, code) => {
    const { client_id } = await app.credentials();
    const token = await forgeToken(app.production, app.secretKey, client_id, forgery);
    const { body, headers } = await withToken(token).get('/auth/me').expect(401);
    expect(body).toMatchObject({ code, error: 'invalid_token', request_id: expect.any(String) });
    expect(headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/v1"`,
    );
  });

  it('is rejected unsigned, with another signature, or signed with the public key', async () => {
    const { client_id } = await app.credentials();
    const real = await forgeToken(app.production, app.secretKey, client_id);
    const [head = '', payload = '', signature = ''] = real.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const header = JSON.parse(Buffer.from(head, 'base64url').toString());
    const [jwk] = await app.production.auth.publicJwks();
    const publicKey = createSecretKey(Buffer.from(jwk?.x ?? '', 'base64url'));
    const stranger = await generateKeyPair('EdDSA');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forgeries = [
      new UnsecuredJWT(claims).encode(),
      `${encode({ ...header, alg: 'none' })}.${payload}.`,
      `${encode({ ...header, alg: 'none' })}.${payload}.${signature}`,
      await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(publicKey),
      await new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(createSecretKey(Buffer.from(JSON.stringify(jwk)))),
      await new SignJWT(claims).setProtectedHeader(header).sign(stranger.privateKey),
      await new SignJWT(claims)
        .setProtectedHeader({ ...header, kid: undefined, jwk: await exportJWK(stranger.publicKey) })
        .sign(stranger.privateKey),
      `${head}.${encode({ ...claims, scope: 'read write events:read' })}.${signature}`,
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}..${signature}`,
      `${real}.${signature}`,
    ];
    for (const forgery of forgeries) {
      const { body } = await withToken(forgery).get('/auth/me').expect(401);
      expect(body.code).toBe('token_invalid');
    }
    await withToken(real).get('/auth/me').expect(200);
  });

  it('is refused while it is remembered, as soon as it has expired', async () => {
    const { client_id } = await app.credentials();
    const exp = Math.floor(Date.now() / 1000) + 2;
    const client = withToken(await forgeToken(app.production, app.secretKey, client_id, { claims: { exp } }));
    await client.get('/auth/me').expect(200);
    await expect
      .poll(async () => (await client.get('/auth/me')).body.code, { timeout: 4_000, interval: 50 })
      .toBe('token_expired');
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
  });

  it('is refused when its client has been disabled, within a second', async () => {
    const client = await app.client();
    const { body } = await client.get('/auth/me').expect(200);
    await disableClient(app.production, body.data.client_id);
    await expect
      .poll(async () => (await client.get('/auth/me')).body.code, { timeout: 1_000, interval: 20 })
      .toBe('token_revoked');
  });

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Basic YTpi', 'Token x', 'Bearer \u00e4', 'x'])(
    'is refused in the header "%s"',
    async (header) => {
      const { body } = await app.anonymous.get('/auth/me').set('Authorization', header).expect(401);
      expect(body.code).toBe('token_invalid');
    },
  );
});
