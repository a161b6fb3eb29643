/** A webhook's filter finds the leads that the list finds with the same filter. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { unsubscribe } from '../../support/deliveries.ts';
import { filtersFor, makeLeads, toQuery } from '../../support/lead-event-filters.ts';
import { make } from '../../support/resources.ts';
import { uuidOf, webhooks } from '../../support/webhooks.ts';

/** As many as an environment can have. */
const WEBHOOKS = 20;

let app: TestApp;
let client: TestClient;
let world: Awaited<ReturnType<typeof makeLeads>>;
let touches = 0;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  world = await makeLeads(app, client);
});

afterAll(() => app.close());

/** Changes a field of every lead that no filter asks for. */
async function touchAll(): Promise<void> {
  touches += 1;
  const items = world.ids.map((id) => ({ id, patch: { next_step: `Step ${touches}` } }));
  const { body } = await client.post('/leads/batch/update', { items }).expect(200);
  expect(body.data.map((item: { status: string }) => item.status)).toEqual(world.ids.map(() => 'updated'));
}

/** The leads whose events a webhook with each filter got. */
async function deliveredTo(filters: readonly object[]): Promise<string[][]> {
  const made = [];
  for (const filter of filters)
    made.push(await make(client, webhooks, { event_types: ['lead.updated'], filter }));
  await touchAll();
  const found = await Promise.all(made.map(({ id }) => leadsSentTo(id)));
  await unsubscribe(client);
  return found;
}

async function leadsSentTo(webhookId: string): Promise<string[]> {
  const rows = await app.production.knex('webhook_deliveries').where({ webhook_id: uuidOf(webhookId) });
  return rows.map(({ resource_id }) => toId('lead', resource_id)).toSorted();
}

async function listedWith(filter: object): Promise<string[]> {
  const { body } = await client.get(`/leads?per_page=100&${toQuery(filter)}`).expect(200);
  return body.data.map(({ id }: { id: string }) => id).toSorted();
}

it('sends the events of the leads that GET /leads finds, with every filter', async () => {
  const values = filtersFor(world);
  const single = Object.entries(values).flatMap(([name, all]) =>
    all.map((value) => ({ ...(name.startsWith('value_') && { currency: 'EUR' }), [name]: value })),
  );
  const combined = [
    { status_not: ['new'], tag_not: ['none'] },
    { company: 'acme gmbh', tag: ['old'] },
    { created_from: '2021-06-30', created_to: '2021-06-30', currency: 'none' },
  ];
  const filters = [...single, ...combined];
  let matched = 0;
  for (let start = 0; start < filters.length; start += WEBHOOKS) {
    const some = filters.slice(start, start + WEBHOOKS);
    const delivered = await deliveredTo(some);
    for (const [index, filter] of some.entries()) {
      expect({ filter, leads: delivered[index] }).toEqual({ filter, leads: await listedWith(filter) });
      matched += (delivered[index]?.length ?? 0) > 0 ? 1 : 0;
    }
  }
  expect(matched).toBeGreaterThan(filters.length / 2);
}, 120_000);
