import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { make } from '../../support/resources.ts';
import { getDelivery, insertAttempt, insertDelivery, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /webhooks/{id}/deliveries/{delivery_id}', () => {
  it('shows the delivery with every attempt, in order', async () => {
    const { knex } = app.production;
    const { id } = await make(client, webhooks);
    const next = '2026-11-20T10:17:58.870Z';
    const fields = { status: 'pending', attempt_count: 2, next_attempt_at: next } as const;
    const delivery = await insertDelivery(knex, id, fields);
    const silent = { status_code: null, error: 'no answer within 15 seconds', duration_ms: 15_000 };
    await insertAttempt(knex, delivery, { number: 2, ...silent });
    await insertAttempt(knex, delivery, { number: 1, status_code: 503, response_body: 'Back soon.' });
    const shown = await getDelivery(client, id, delivery);
    const attempted_at = '2026-11-20T09:30:00.000Z';
    expect(shown).toEqual({
      id: delivery,
      webhook_id: id,
      event_id: expect.stringMatching(/^event_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      event_type: 'lead.created',
      status: 'pending',
      attempt_count: 2,
      next_attempt_at: next,
      replay_id: null,
      attempts: [
        {
          number: 1,
          attempted_at,
          duration_ms: 31,
          status_code: 503,
          error: null,
          response_body: 'Back soon.',
        },
        { number: 2, attempted_at, ...silent, response_body: null },
      ],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it("answers 404 for an unknown delivery, and for another webhook's", async () => {
    const { id } = await make(client, webhooks);
    const other = await make(client, webhooks);
    const foreign = await insertDelivery(app.production.knex, other.id);
    for (const delivery of [foreign, 'delivery_01h455vb4pex5vsknk084sn02q', id, 'x', '%00']) {
      const { body } = await client.get(`/webhooks/${id}/deliveries/${delivery}`).expect(404);
      expect(body.code).toBe('not_found');
    }
  });
});
