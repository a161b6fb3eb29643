import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/clients/operator.ts';
import { type Environment, environments } from '../../../src/environment.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

const other = { production: 'sandbox', sandbox: 'production' } as const;

/** The same client, speaking to the other environment. */
function across(client: TestClient, environment: Environment): TestClient {
  return client.at(app.url + app[other[environment]].basePath);
}

describe.each(environments)('a credential of %s', (environment) => {
  it('is named in every response', async () => {
    const client = await app.client(undefined, environment);
    for (const answer of [
      await client.get('/auth/me'),
      await client.get('/nothing'),
      await client.get('/auth/jwks'),
    ]) {
      expect(answer.headers['x-environment']).toBe(environment);
    }
    expect((await client.get('/auth/me')).body.data.environment).toBe(environment);
  });

  it('has a secret that shows where it belongs', async () => {
    const { client_secret } = await app.credentials(['read'], environment);
    expect(client_secret).toMatch(
      environment === 'production' ? /^lps_live_[\w-]{43}$/ : /^lps_test_[\w-]{43}$/,
    );
  });

  it('is worth nothing in the other one as a token', async () => {
    const client = await app.client(undefined, environment);
    await client.get('/leads').expect(200);
    const { body } = await across(client, environment).get('/leads').expect(401);
    expect(body.code).toBe('token_invalid');
  });

  it('is worth nothing in the other one as id and secret', async () => {
    const credentials = await app.credentials(['read'], environment);
    const anonymous = app.anonymous.at(app.url + app[other[environment]].basePath);
    const { body } = await anonymous
      .post('/auth/token', { grant_type: 'client_credentials', ...credentials })
      .expect(401);
    expect(body.code).toBe('invalid_client');
  });

  it('is worth nothing in the other one as an API key', async () => {
    const { client_id } = await app.credentials(['read'], environment);
    const { api_key } = await issueApiKey(app[environment], {
      clientId: client_id,
      name: 'Test',
      scopes: ['read'],
      expiresAt: null,
    });
    expect(api_key).toMatch(environment === 'production' ? /^lpk_live_[\w-]{43}$/ : /^lpk_test_[\w-]{43}$/);
    const client = app.anonymous.at(app.url + app[environment].basePath).with({ 'X-API-Key': api_key });
    await client.get('/leads').expect(200);
    const { body } = await across(client, environment).get('/leads').expect(401);
    expect(body.code).toBe('token_invalid');
  });

  it('sees the data of its own environment only', async () => {
    const client = await app.client(undefined, environment);
    const stranger = await app.client(undefined, other[environment]);
    const lead = await createLead(client);
    await client.get(`/leads/${lead.id}`).expect(200);
    await stranger.get(`/leads/${lead.id}`).expect(404);
    expect((await createLead(stranger, { email: lead.email })).id).not.toBe(lead.id);
  });
});
