/** The metadata of the authorization server, with which OAuth libraries configure themselves. */
import * as oauth from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../../../generated/operations.ts';
import type { Environment } from '../../../src/environment.ts';
import { PUBLIC_URL, startTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

const environments: { environment: Environment; basePath: string }[] = [
  { environment: 'production', basePath: '/v1' },
  { environment: 'sandbox', basePath: '/sandbox/v1' },
];

describe.each(environments)('the metadata of $environment', ({ environment, basePath }) => {
  const issuer = PUBLIC_URL + basePath;

  it.each([
    `/.well-known/oauth-authorization-server${basePath}`,
    `/.well-known/openid-configuration${basePath}`,
    `${basePath}/.well-known/oauth-authorization-server`,
    `${basePath}/.well-known/openid-configuration`,
  ])('is at %s', async (path) => {
    const root = app.anonymous.at(app.url);
    const { body, headers } = await root.get(path).expect(200);
    expect(body).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/auth/token`,
      revocation_endpoint: `${issuer}/auth/revoke`,
      jwks_uri: `${issuer}/auth/jwks`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: expect.arrayContaining([
        'client_secret_basic',
        'client_secret_post',
      ]),
      scopes_supported: [...scopes],
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['EdDSA'],
    });
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.any(String),
    });
    await root.head(path).expect(200);
    await root.post(path, {}).expect(404);
  });

  it('is found from a challenge, by way of the metadata of the resource', async () => {
    const root = app.anonymous.at(app.url);
    const { headers } = await root.get(`${basePath}/leads`).expect(401);
    const [, url = ''] = /^Bearer resource_metadata="([^"]+)"$/.exec(headers['www-authenticate'] ?? '') ?? [];
    expect(url).toBe(`${PUBLIC_URL}/.well-known/oauth-protected-resource${basePath}`);
    const { body } = await root.get(url.slice(PUBLIC_URL.length)).expect(200);
    expect(body).toEqual({
      resource: issuer,
      authorization_servers: [issuer],
      scopes_supported: [...scopes],
      bearer_methods_supported: ['header'],
      resource_documentation: `${PUBLIC_URL}/docs/`,
    });
    const reader = await app.client(['leads:read'], environment);
    const refused = await reader.post('/leads', {}).expect(403);
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="leads:write", resource_metadata="${url}"`,
    );
  });

  it.each(['oidc', 'oauth2'] as const)(
    'is found by openid-client with the algorithm %s',
    async (algorithm) => {
      const { client_id, client_secret } = await app.credentials(['leads:read'], environment);
      const atTheTestServer: oauth.CustomFetch = (url, options) =>
        fetch(url.replace(PUBLIC_URL, app.url), options as RequestInit);
      const server = await oauth.discovery(new URL(issuer), client_id, client_secret, undefined, {
        algorithm,
        [oauth.customFetch]: atTheTestServer,
      });

      const { access_token, expires_in } = await oauth.clientCredentialsGrant(server, {
        scope: 'leads:read',
      });
      expect(expires_in).toBe(3600);
      const leads = new URL(`${issuer}/leads`);
      expect((await oauth.fetchProtectedResource(server, access_token, leads, 'GET')).status).toBe(200);

      await oauth.tokenRevocation(server, access_token);
      const refused = oauth.fetchProtectedResource(server, access_token, leads, 'GET');
      await expect(refused).rejects.toMatchObject({ status: 401 });
    },
  );
});

it('is of an environment: the origin alone has none', async () => {
  await app.anonymous.at(app.url).get('/.well-known/oauth-authorization-server').expect(404);
});
