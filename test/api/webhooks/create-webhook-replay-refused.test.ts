import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { hoursAgo, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

const anHour = () => ({ from: hoursAgo(3).toISOString(), to: hoursAgo(2).toISOString() });

describe('POST /webhooks/{id}/replays', () => {
  it('is rejected while another one runs, even if ten are requested concurrently', async () => {
    const { id } = await make(client, webhooks);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post(`/webhooks/${id}/replays`, anHour())),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    await expectRefusal(client.post(`/webhooks/${id}/replays`, anHour()), {
      field: 'id',
      code: 'replay_running',
    });
  });

  it('is rejected for a paused webhook', async () => {
    const { id } = await make(client, webhooks, { status: 'paused' });
    const refusal = { field: 'status', code: 'webhook_not_enabled' };
    await expectRefusal(client.post(`/webhooks/${id}/replays`, anHour()), refusal);
  });

  it('is rejected for types to which the webhook does not subscribe', async () => {
    const { id } = await make(client, webhooks, { event_types: ['lead.created', 'lead.deleted'] });
    const request = { ...anHour(), event_types: ['lead.deleted', 'user.created'] };
    await expectRefusal(client.post(`/webhooks/${id}/replays`, request), { field: 'event_types' });
  });

  it.each([
    ['from', { to: '2026-11-20' }],
    ['to', { from: '2026-11-20' }],
    ['from', { from: 'yesterday', to: '2026-11-20' }],
    ['from', { from: hoursAgo(1).toISOString(), to: hoursAgo(2).toISOString() }],
    ['from', { from: hoursAgo(91 * 24).toISOString(), to: hoursAgo(0).toISOString() }],
    ['from', { from: hoursAgo(-1).toISOString(), to: hoursAgo(-2).toISOString() }],
    ['only_failed', { ...anHour(), only_failed: 'yes' }],
    ['colour', { ...anHour(), colour: 'red' }],
  ])('rejects an invalid %s: %j', async (field, body) => {
    const { id } = await make(client, webhooks);
    await expectRefusal(client.post(`/webhooks/${id}/replays`, body), { field });
  });
});
