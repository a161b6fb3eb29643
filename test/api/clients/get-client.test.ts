import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administered, apiClients } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { describeRead } from '../../support/resource-promises.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

describeRead(apiClients, () => administered(app));

describe('GET /clients/{id}', () => {
  it('shows a client that the operator made, and never a secret', async () => {
    const { client_id } = await app.credentials(['leads:read']);
    const { body } = await admin.get(`/clients/${client_id}`).expect(200);
    expect(body.data).toEqual({
      id: client_id,
      name: 'Test',
      scopes: ['leads:read'],
      status: 'enabled',
      disabled_at: null,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      version: 1,
    });
  });
});
