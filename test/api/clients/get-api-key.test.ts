import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiClient, makeApiKey } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describe('GET /clients/{id}/keys/{key_id}', () => {
  it('returns the key without its secret, and 304 for a known version', async () => {
    const { id } = await makeApiClient(admin);
    const { api_key: _key, ...key } = await makeApiKey(admin, id);
    const { body } = await admin.get(`/clients/${id}/keys/${key.id}`).expect(200).expect('ETag', '"1"');
    expect(body).toEqual({ data: key });
    await admin.with({ 'If-None-Match': '"1"' }).get(`/clients/${id}/keys/${key.id}`).expect(304);
  });

  it('answers 404 for the key of another client, or an id of another kind', async () => {
    const [mine, other] = [await makeApiClient(admin), await makeApiClient(admin)];
    const key = await makeApiKey(admin, other.id);
    for (const id of [key.id, other.id, 'x']) {
      const { body } = await admin.get(`/clients/${mine.id}/keys/${id}`).expect(404);
      expect(body.code).toBe('not_found');
    }
  });
});
