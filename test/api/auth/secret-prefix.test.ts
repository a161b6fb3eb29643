/** Secrets of the other environment are rejected, even by a database that has their hashes: a copy of the other one's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

it.each([
  ['sandbox', 'production'],
  ['production', 'sandbox'],
] as const)('secrets and API keys of the %s give no access to %s', async (from, to) => {
  const credentials = await app.credentials(['read', 'write', 'admin'], from);
  const at = (environment: 'production' | 'sandbox') => new TestClient(app.url + app[environment].basePath);
  const request = { grant_type: 'client_credentials', ...credentials };
  const { body } = await at(from).post('/auth/token', request).expect(200);
  const client = at(from).with({ Authorization: `Bearer ${body.access_token}` });
  const key = await client.post(`/clients/${credentials.client_id}/keys`, { name: 'Key' }).expect(201);
  for (const table of ['api_clients', 'api_keys']) {
    const rows = await app[from].knex(table);
    await app[to].knex(table).insert(rows).onConflict().ignore();
  }

  const refused = await at(to).post('/auth/token', request).expect(401);
  expect(refused.body.error).toBe('invalid_client');
  const keyed = (environment: 'production' | 'sandbox') =>
    at(environment).with({ 'X-API-Key': key.body.data.api_key }).get('/leads');
  await keyed(from).expect(200);
  const rejected = await keyed(to).expect(401);
  expect(rejected.body.code).toBe('token_invalid');
});
