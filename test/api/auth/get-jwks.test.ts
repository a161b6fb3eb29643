import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateSigningKey } from '../../../src/auth/signing-keys.ts';
import { PUBLIC_URL, startTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

/** As a third party does it: from the issuer's metadata to its keys at their public address. */
async function verifyAsThirdParty(token: string, issuer: string) {
  const atTheTestServer: typeof fetch = (url, init) => fetch(String(url).replace(PUBLIC_URL, app.url), init);
  const { pathname } = new URL(issuer);
  const answer = await atTheTestServer(`${PUBLIC_URL}/.well-known/oauth-authorization-server${pathname}`);
  const metadata = (await answer.json()) as { issuer: string; jwks_uri: string };
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { [customFetch]: atTheTestServer });
  return jwtVerify(token, keys, { issuer: metadata.issuer, audience: issuer, typ: 'at+jwt' });
}

async function newToken(environment: 'production' | 'sandbox' = 'production') {
  const client = await app.client(['leads:read', 'write'], environment);
  const { body } = await client.get('/auth/me').expect(200);
  return { token: client.headers.Authorization?.slice(7) ?? '', client, clientId: body.data.client_id };
}

describe('GET /auth/jwks', () => {
  it('lists public keys only', async () => {
    const { body, headers } = await app.anonymous.get('/auth/jwks').expect(200);
    expect(body).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          alg: 'EdDSA',
          use: 'sig',
          x: expect.any(String),
          kid: expect.any(String),
        },
      ],
    });
    expect(headers['cache-control']).toBe('public, max-age=300');
  });

  it.each(['production', 'sandbox'] as const)(
    'lets a third party verify a token of %s (RFC 9068)',
    async (environment) => {
      const issuer = `${PUBLIC_URL}${environment === 'production' ? '' : '/sandbox'}/v1`;
      const { token, clientId } = await newToken(environment);
      const { payload, protectedHeader } = await verifyAsThirdParty(token, issuer);
      expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
      expect(payload).toEqual({
        iss: issuer,
        aud: issuer,
        sub: clientId,
        client_id: clientId,
        scope: 'leads:read write',
        jti: expect.stringMatching(/^0\.[\da-f-]{36}$/),
        iat: expect.any(Number),
        exp: (payload.iat ?? 0) + 3600,
      });
      expect(Math.abs((payload.iat ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    },
  );

  it('gives no two tokens the same id', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 10 },
        async () => (await verifyAsThirdParty((await newToken()).token, `${PUBLIC_URL}/v1`)).payload.jti,
      ),
    );
    expect(new Set(ids).size).toBe(10);
  });

  it('still lists a rotated key until its last token has expired', async () => {
    const before = await newToken();
    const { db, knex } = app.production;
    const kid = await rotateSigningKey(db, app.secretKey);
    await expect
      .poll(async () => decodeProtectedHeader((await newToken()).token).kid, { timeout: 1_000, interval: 20 })
      .toBe(kid);
    await before.client.get('/auth/me').expect(200);
    await verifyAsThirdParty(before.token, `${PUBLIC_URL}/v1`);
    const { body } = await app.anonymous.get('/auth/jwks').expect(200);
    expect(body.keys).toHaveLength(2);
    expect(body.keys[0].kid).toBe(kid);

    await knex('signing_keys')
      .whereNotNull('retired_at')
      .update({ retired_at: new Date(Date.now() - 3_601_000).toISOString() });
    await expect
      .poll(async () => (await app.anonymous.get('/auth/jwks')).body.keys.length, {
        timeout: 1_000,
        interval: 20,
      })
      .toBe(1);
    const { body: refused } = await before.client.get('/auth/me').expect(401);
    expect(refused.code).toBe('token_invalid');
  });

  it('keeps the private halves encrypted in the database', async () => {
    const rows = await app.production.knex('signing_keys').select();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.public_jwk).not.toHaveProperty('d');
      expect(row.encrypted_private_jwk.toString('latin1')).not.toMatch(/"d"|kty|Ed25519/);
    }
  });
});
