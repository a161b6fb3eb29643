import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOrphanedDeliveries } from '../../../src/webhooks/queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { make } from '../../support/resources.ts';
import { getDelivery, insertAttempt, insertDelivery, uuidOf, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('DELETE /webhooks/{id}', () => {
  it("also deletes the webhook's deliveries, and no others", async () => {
    const { db, knex } = app.production;
    const gone = await make(client, webhooks);
    const other = await make(client, webhooks);
    for (let made = 0; made < 3; made += 1) {
      await insertAttempt(knex, await insertDelivery(knex, gone.id));
    }
    const kept = await insertDelivery(knex, other.id);
    await client.delete(`/webhooks/${gone.id}`).expect(204);
    await client.get(`/webhooks/${gone.id}/deliveries`).expect(404);
    expect([await deleteOrphanedDeliveries(db, 2), await deleteOrphanedDeliveries(db, 2)]).toEqual([2, 1]);
    expect(await knex('webhook_deliveries').where({ webhook_id: uuidOf(gone.id) })).toEqual([]);
    expect(await knex('webhook_attempts')).toEqual([]);
    expect((await getDelivery(client, other.id, kept)).id).toBe(kept);
  });
});
