/** Credentials that are rejected: missing, forged, expired, revoked, of the other environment, or without the scope. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { disableClient, issueApiKey, withdrawApiKey } from '../../src/clients/operator.ts';
import type { Environment } from '../../src/environment.ts';
import type { TestApp } from './app.ts';
import { makeHook } from './hooks.ts';
import { forgeToken } from './tokens.ts';
import { uuidOf } from './webhooks.ts';

export interface Refused {
  what: string;
  code: 'token_missing' | 'token_invalid' | 'token_expired' | 'token_revoked';
  headers?: Record<string, string>;
  /** Added to the query. */
  query?: string;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const prefixes = { production: 'live', sandbox: 'test' } as const;
const others = { production: 'sandbox', sandbox: 'production' } as const;

/** Credentials that are invalid in the environment. Some may cause one of several codes. */
export async function refusedCredentials(app: TestApp, environment: Environment): Promise<Refused[]> {
  const context = app[environment];
  const issue = async (in_: Environment = environment) => {
    const credentials = await app.credentials(['read', 'write', 'admin'], in_);
    const token = await forgeToken(app[in_], app.secretKey, credentials.client_id, {
      claims: { scope: 'read write admin' },
    });
    return { ...credentials, token };
  };
  const newKey = async (clientId: string, in_: Environment = environment) =>
    issueApiKey(app[in_], { clientId, name: 'Key', scopes: undefined, expiresAt: null });

  const valid = await issue();
  const validKey = await newKey(valid.client_id);
  const disabled = await issue();
  const disabledKey = await newKey(disabled.client_id);
  await disableClient(context, disabled.client_id);
  const expiredKey = await newKey(valid.client_id);
  const past = { expires_at: new Date(Date.now() - 1_000).toISOString() };
  await context
    .knex('api_keys')
    .where({ id: uuidOf(expiredKey.key_id) })
    .update(past);
  const revokedKey = await newKey(valid.client_id);
  await withdrawApiKey(context, revokedKey.key_id);
  const revoked = await issue();
  await app.anonymous
    .at(app.url + context.basePath)
    .post('/auth/revoke', {
      token: revoked.token,
      client_id: revoked.client_id,
      client_secret: revoked.client_secret,
    })
    .expect(200);
  const elsewhere = await issue(others[environment]);
  const keyElsewhere = await newKey(elsewhere.client_id, others[environment]);
  const hook = await makeHook(await app.client(['webhooks:write'], environment));
  const claimed = (claims: JWTPayload) =>
    forgeToken(context, app.secretKey, valid.client_id, { claims: { scope: 'read write admin', ...claims } });
  const basic = Buffer.from(`${valid.client_id}:${valid.client_secret}`).toString('base64');

  const tokens: [what: string, token: string, code: Refused['code']][] = [
    ...(await forgeries(app, environment, valid.token)).map(
      ([what, token]): [string, string, Refused['code']] => [what, token, 'token_invalid'],
    ),
    ['a token of another issuer', await claimed({ iss: 'https://other.test/v1' }), 'token_invalid'],
    ['a token for another audience', await claimed({ aud: 'https://other.test/v1' }), 'token_invalid'],
    ['a token that is not valid yet', await claimed({ nbf: Date.now() / 1000 + 600 }), 'token_invalid'],
    ['an expired token', await claimed({ exp: Math.floor(Date.now() / 1000) - 1 }), 'token_expired'],
    ['a revoked token', revoked.token, 'token_revoked'],
    ['a token of a disabled client', disabled.token, 'token_revoked'],
    ['a token of no client', await claimed({ sub: 'client_01h455vb4pex5vsknk084sn02q' }), 'token_revoked'],
    ['a token of the other environment', elsewhere.token, 'token_invalid'],
    ['an API key as a token', validKey.api_key, 'token_invalid'],
    ["a client's secret as a token", valid.client_secret, 'token_invalid'],
  ];
  const keys: typeof tokens = [
    ['an API key that nobody has', newKeyText(environment), 'token_invalid'],
    ['an API key with a character more', `${validKey.api_key}A`, 'token_invalid'],
    ['an expired API key', expiredKey.api_key, 'token_expired'],
    ['a revoked API key', revokedKey.api_key, 'token_revoked'],
    ['an API key of a disabled client', disabledKey.api_key, 'token_revoked'],
    ['an API key of the other environment', keyElsewhere.api_key, 'token_invalid'],
    ["a client's secret as an API key", valid.client_secret, 'token_invalid'],
    ['the token of a hook as an API key', hook.token, 'token_invalid'],
    ['a token as an API key', valid.token, 'token_invalid'],
  ];
  return [
    { what: 'nothing', code: 'token_missing' },
    {
      what: 'a token in a cookie',
      headers: { Cookie: `access_token=${valid.token}` },
      code: 'token_missing',
    },
    { what: 'a token in the query', query: `access_token=${valid.token}`, code: 'token_missing' },
    { what: 'an empty API key', headers: { 'X-API-Key': '' }, code: 'token_missing' },
    { what: 'a token without its scheme', headers: { Authorization: valid.token }, code: 'token_invalid' },
    { what: "a client's secret", headers: { Authorization: `Basic ${basic}` }, code: 'token_invalid' },
    {
      what: 'a wrong token beside a valid API key',
      headers: { ...bearer('a.b.c'), 'X-API-Key': validKey.api_key },
      code: 'token_invalid',
    },
    {
      what: 'a wrong token with a fault in the query',
      headers: bearer('a.b.c'),
      query: 'nonsense=1',
      code: 'token_invalid',
    },
    ...tokens.map(([what, token, code]) => ({ what, headers: bearer(token), code })),
    ...keys.map(([what, key, code]) => ({ what, headers: { 'X-API-Key': key }, code })),
  ];
}

/** Made from a valid token, without the signing key. */
async function forgeries(
  app: TestApp,
  environment: Environment,
  token: string,
): Promise<[what: string, token: string][]> {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const claims: JWTPayload = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const [jwk] = await app[environment].auth.publicJwks();
  const stranger = await generateKeyPair('EdDSA');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sign = (with_: object, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims).setProtectedHeader({ ...header, ...with_ }).sign(key);
  const publicBytes = createSecretKey(Buffer.from(jwk?.x ?? '', 'base64url'));
  const publicText = createSecretKey(Buffer.from(JSON.stringify(jwk)));
  const jwkOfStranger = await exportJWK(stranger.publicKey);
  return [
    ['a token without an algorithm', new UnsecuredJWT(claims).encode()],
    ['a token with alg none', `${encode({ ...header, alg: 'none' })}.${payload}.`],
    [
      'a token with alg none and a signature',
      `${encode({ ...header, alg: 'none' })}.${payload}.${signature}`,
    ],
    ['a token signed with the public key, HS256', await sign({ alg: 'HS256' }, publicBytes)],
    ['a token signed with the public JWK, HS256', await sign({ alg: 'HS256' }, publicText)],
    ['a token signed with another key', await sign({}, stranger.privateKey)],
    ['a token with an unknown kid', await sign({ kid: 'unknown' }, stranger.privateKey)],
    ['a token that brings its key along', await sign({ jwk: jwkOfStranger }, stranger.privateKey)],
    [
      'a token that says where its key is',
      await sign({ jku: 'https://other.test/jwks', kid: undefined }, stranger.privateKey),
    ],
    ['a token of another client', `${head}.${encode({ ...claims, sub: 'client_x' })}.${signature}`],
    ['a token with more scope', `${head}.${encode({ ...claims, scope: 'admin' })}.${signature}`],
    ['a token with a later expiry', `${head}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`],
    ['a token with a changed signature', `${head}.${payload}.${signature.slice(0, -4)}AAAA`],
    ['a token without its signature', `${head}.${payload}.`],
  ];
}

function newKeyText(environment: Environment): string {
  return `lpk_${prefixes[environment]}_${randomBytes(32).toString('base64url')}`;
}

/** A token and an API key with the scopes. */
export async function credentialsWith(
  app: TestApp,
  environment: Environment,
  scopes: readonly string[],
): Promise<Record<'token' | 'API key', Record<string, string>>> {
  const { headers } = await app.client([...scopes], environment);
  const { client_id } = await app.credentials([...scopes], environment);
  const { api_key } = await issueApiKey(app[environment], {
    clientId: client_id,
    name: 'Key',
    scopes: undefined,
    expiresAt: null,
  });
  return { token: headers, 'API key': { 'X-API-Key': api_key } };
}
