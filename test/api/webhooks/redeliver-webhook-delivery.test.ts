import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { dueDeliveries, getDelivery, insertDelivery, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

describe('POST /webhooks/{id}/deliveries/{delivery_id}/redeliver', () => {
  it.each(['pending', 'succeeded', 'failed'] as const)(
    'sends the event of a %s delivery again, as a new delivery',
    async (status) => {
      const { knex } = app.production;
      const { id } = await make(client, webhooks);
      const first = await insertDelivery(knex, id, { status, attempt_count: 3, next_attempt_at: null });
      const before = await getDelivery(client, id, first);
      const { body, headers } = await client
        .post(`/webhooks/${id}/deliveries/${first}/redeliver`)
        .expect(202);
      const { event_id, event_type } = before;
      expect(body.data).toMatchObject({ event_id, event_type, status: 'pending', attempt_count: 0 });
      expect(body.data.id).not.toBe(first);
      expect(headers.location).toBe(`https://api.test/v1/webhooks/${id}/deliveries/${body.data.id}`);
      expect(await getDelivery(client, id, first)).toEqual(before);
      expect(await dueDeliveries(client, id)).toContain(body.data.id);
    },
  );

  it('is rejected while the webhook is paused', async () => {
    const { id } = await make(client, webhooks, { status: 'paused' });
    const delivery = await insertDelivery(app.production.knex, id);
    const request = client.post(`/webhooks/${id}/deliveries/${delivery}/redeliver`);
    await expectRefusal(request, { field: 'status', code: 'webhook_not_enabled' });
  });

  it("answers 404 for an unknown delivery, and for another webhook's", async () => {
    const { id } = await make(client, webhooks);
    const other = await make(client, webhooks);
    const foreign = await insertDelivery(app.production.knex, other.id);
    for (const delivery of [foreign, 'delivery_01h455vb4pex5vsknk084sn02q', 'x']) {
      await client.post(`/webhooks/${id}/deliveries/${delivery}/redeliver`).expect(404);
    }
  });
});
