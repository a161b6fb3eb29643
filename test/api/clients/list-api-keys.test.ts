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

describe('GET /clients/{id}/keys', () => {
  it("lists the client's keys only, revoked ones too, the newest first, without the keys themselves", async () => {
    const [mine, other] = [await makeApiClient(admin), await makeApiClient(admin)];
    await makeApiKey(admin, other.id);
    const made = [await makeApiKey(admin, mine.id), await makeApiKey(admin, mine.id)];
    await admin.post(`/clients/${mine.id}/keys/${made[0]?.id}/revoke`).expect(200);
    const { body } = await admin.get(`/clients/${mine.id}/keys`).expect(200);
    expect(body.meta.total).toBe(2);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([made[1]?.id, made[0]?.id]);
    expect(body.data[1].revoked_at).toEqual(expect.any(String));
    for (const { api_key } of made) expect(JSON.stringify(body)).not.toContain(api_key);
  });

  it('goes on by its cursor, which belongs to this client', async () => {
    const [mine, other] = [await makeApiClient(admin), await makeApiClient(admin)];
    const made = [await makeApiKey(admin, mine.id), await makeApiKey(admin, mine.id)];
    const first = await admin.get(`/clients/${mine.id}/keys?per_page=1`).expect(200);
    const cursor = first.body.meta.next_cursor;
    const second = await admin.get(`/clients/${mine.id}/keys?per_page=1&cursor=${cursor}`).expect(200);
    expect(second.body.data[0].id).toBe(made[0]?.id);
    await admin.get(`/clients/${other.id}/keys?per_page=1&cursor=${cursor}`).expect(400);
  });
});
