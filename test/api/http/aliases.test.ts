/** Other names of parameters and fields: `types`, `event_types` and `event_type` mean the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { parseLinks } from '../../support/lists.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { insertDelivery, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
let webhookId: string;
let lists: string[];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const lead = await createLead(client);
  await client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
  webhookId = (await make(client, webhooks)).id;
  for (const event_type of ['lead.created', 'lead.deleted', 'lead.created'])
    await insertDelivery(app.production.knex, webhookId, { event_type });
  lists = ['/events', `/leads/${lead.id}/events`, `/webhooks/${webhookId}/deliveries`];
});

afterAll(() => app.close());

const typesOf = (body: { data: { type?: string; event_type?: string }[] }) =>
  new Set(body.data.map(({ type, event_type }) => type ?? event_type));

describe('a filter by types', () => {
  it.each(['types', 'event_types', 'event_type', 'types[]', 'event_type[0]'])('can be %s', async (name) => {
    for (const list of lists) {
      const { body } = await client.get(`${list}?${name}=lead.created`).expect(200);
      expect([list, [...typesOf(body)]]).toEqual([list, ['lead.created']]);
    }
  });

  it('has one name in links, and a cursor is the same under each', async () => {
    const list = `/webhooks/${webhookId}/deliveries?per_page=1`;
    const { body, headers } = await client.get(`${list}&event_type=lead.created`).expect(200);
    expect(parseLinks(headers.link ?? '').next).toContain('types=lead.created');
    expect(parseLinks(headers.link ?? '').next).not.toContain('event_type');
    await client.get(`${list}&types=lead.created&cursor=${body.meta.next_cursor}`).expect(200);
  });

  it('can be given under two names if they agree; otherwise the answer is a 400', async () => {
    for (const list of lists) {
      await client.get(`${list}?types=lead.created&event_types=lead.created`).expect(200);
      const { body } = await client.get(`${list}?types=lead.created&event_type=lead.deleted`).expect(400);
      expect(body.errors).toEqual({ event_type: ['must be left out, or be the same as types'] });
    }
  });

  it('is unknown where the document has no such filter', async () => {
    await client.get('/leads?event_type=lead.created').expect(400);
  });
});

describe('the types of a webhook and of a replay', () => {
  const url = 'https://example.com/hooks';
  const period = { from: '2026-11-20', to: '2026-11-20' };

  it('can be named types', async () => {
    const { body } = await client
      .post('/webhooks', { url, types: ['lead.created', 'lead.deleted'] })
      .expect(201);
    const path = `/webhooks/${body.data.id}`;
    expect(body.data.event_types).toEqual(['lead.created', 'lead.deleted']);
    const patched = await client.patch(path, { types: ['*'] }).expect(200);
    expect(patched.body.data.event_types).toEqual(['*']);
    const merged = await client
      .patch(path, { types: ['lead.created'] })
      .set('Content-Type', 'application/json')
      .expect(200);
    expect(merged.body.data.event_types).toEqual(['lead.created']);
    const { body: replay } = await client
      .post(`${path}/replay`, { ...period, types: ['lead.created'] })
      .expect(202);
    expect(replay.data.event_types).toEqual(['lead.created']);
  });

  it('must agree under two names', async () => {
    const both = { url, event_types: ['lead.created'], types: ['lead.created'] };
    await client.post('/webhooks', both).expect(201);
    await expectRefusal(client.post('/webhooks', { ...both, types: ['lead.deleted'] }), { field: 'types' });
    await expectRefusal(client.post('/webhooks', { url, types: ['nonsense'] }), { field: 'event_types.0' });
    await expectRefusal(client.post('/leads', { name: 'Ada', email: 'ada@example.com', types: ['x'] }), {
      field: 'types',
    });
  });

  it('of a replay can be * for all', async () => {
    const { id } = await make(client, webhooks, { event_types: ['lead.created'] });
    const { body } = await client.post(`/webhooks/${id}/replay`, { ...period, types: ['*'] }).expect(202);
    expect(body.data.event_types).toEqual(['lead.created']);
    const mixed = { ...period, types: ['*', 'lead.created'] };
    await expectRefusal(client.post(`/webhooks/${id}/replay`, mixed), { field: 'event_types' });
  });
});
