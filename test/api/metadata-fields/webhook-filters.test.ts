/** The filter of a webhook understands the types of keys, as lists do. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { declare } from '../../support/metadata-fields.ts';
import { leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
const events = new Map<string, string>();

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
  await declare(app, client, { key: 'score', type: 'number', indexed: true });
  await declare(app, client, { key: 'plan', type: 'choice', options: ['gold', 'silver'] });
  for (const [name, metadata] of Object.entries({
    none: {},
    nine: { score: 9, plan: 'gold' },
    eighty: { score: 80.5, plan: 'silver', free: 'text' },
  })) {
    const { id } = await make(client, leads, { metadata });
    const { body } = await client.get(`/events?resource_id=${id}&event_types=lead.created`).expect(200);
    events.set(name, body.data[0].id);
  }
});

afterAll(() => app.close());

it.each([
  [{ score: '80..' }, ['eighty']],
  [{ score: '..9' }, ['nine']],
  [{ score: '9,80.50' }, ['eighty', 'nine']],
  [{ score: 'none' }, ['none']],
  [{ plan: 'gold,none' }, ['nine', 'none']],
  [{ plan: 'silver', free: 'text' }, ['eighty']],
  [{ score: '1..', plan: 'gold' }, ['nine']],
])('%j', async (metadata, expected) => {
  const filter = { metadata };
  const input = { url: 'https://example.com', event_types: ['lead.*'], filter };
  const { body } = await client.post('/webhooks', input).expect(201);
  const delivered = [];
  for (const [name, event_id] of events) {
    const { data } = (await client.post(`/webhooks/${body.data.id}/test`, { event_id }).expect(200)).body;
    if (data.delivered) delivered.push(name);
  }
  expect(delivered.toSorted()).toEqual(expected);
});

it('refuses what no value can be', async () => {
  const filter = { metadata: { score: 'many' } };
  const input = { url: 'https://example.com', event_types: ['lead.*'], filter };
  const { body } = await client.post('/webhooks', input).expect(422);
  expect(Object.keys(body.errors)).toEqual(['filter.metadata.score']);
});
