import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { disable, dueDeliveries, getDelivery, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

describe('POST /webhooks/{id}/test', () => {
  it('answers 202 with a delivery of a webhook.test event, which is due', async () => {
    const { id } = await make(client, webhooks, { event_types: ['lead.deleted'] });
    const { body, headers } = await client.post(`/webhooks/${id}/test`).expect(202);
    const delivery = body.data;
    expect(delivery).toMatchObject({
      webhook_id: id,
      event_type: 'webhook.test',
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: expect.any(String),
    });
    expect(headers.location).toBe(`https://api.test/v1/webhooks/${id}/deliveries/${delivery.id}`);
    expect(await getDelivery(client, id, delivery.id)).toEqual({ ...delivery, attempts: [] });
    const event = await client.get(`/events/${delivery.event_id}`).expect(200);
    expect(event.body.data).toMatchObject({ type: 'webhook.test', data: { object: { id }, changes: {} } });
    expect(await dueDeliveries(client, id)).toContain(delivery.id);
  });

  it('is sent to this webhook and to no other', async () => {
    const { id } = await make(client, webhooks);
    const other = await make(client, webhooks);
    await client.post(`/webhooks/${id}/test`).expect(202);
    const { body } = await client.get(`/webhooks/${other.id}/deliveries`).expect(200);
    expect(body.meta.total).toBe(0);
  });

  it('creates a delivery for each of several concurrent requests', async () => {
    const { id } = await make(client, webhooks);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.post(`/webhooks/${id}/test`).expect(202)),
    );
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(5);
    expect(new Set(answers.map(({ body }) => body.data.event_id)).size).toBe(5);
  });

  it('works for a paused webhook, but not for a disabled one', async () => {
    const { id } = await make(client, webhooks, { status: 'paused' });
    await client.post(`/webhooks/${id}/test`).expect(202);
    await disable(app.production.knex, id);
    const refusal = { field: 'status', code: 'webhook_not_enabled' };
    await expectRefusal(client.post(`/webhooks/${id}/test`), refusal);
  });

  it('creates one delivery per Idempotency-Key', async () => {
    const { id } = await make(client, webhooks);
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    const first = await keyed.post(`/webhooks/${id}/test`).expect(202);
    const second = await keyed.post(`/webhooks/${id}/test`).expect(202);
    expect(second.body).toEqual(first.body);
  });
});
