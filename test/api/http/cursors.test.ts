/** A cursor belongs to its list and environment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiClient, makeApiKey } from '../../support/api-clients.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import { createJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, readDocument, takes } from '../../support/document.ts';
import { latest } from '../../support/events.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { inboundHooks, tokenOf } from '../../support/hooks.ts';
import { send as sendFile } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { metadataFields } from '../../support/metadata-fields.ts';
import { startReplay } from '../../support/replays.ts';
import { contacts, content, expectRefusal, leads, make, users } from '../../support/resources.ts';
import { insertDelivery, webhooks } from '../../support/webhooks.ts';

interface List {
  at: string;
  client: TestClient;
  path: string;
  cursor: string;
}

let app: TestApp;
let clients: TestClient[];
const lists: List[] = [];

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  clients = [await app.client(allScopes), await app.client(allScopes, 'sandbox')];
  for (const client of clients) {
    for (const path of await fill(client)) {
      const { body } = await client.get(`${path}?per_page=1`).expect(200);
      lists.push({ at: client.baseUrl + path, client, path, cursor: body.meta.next_cursor });
    }
  }
});

afterAll(() => app.close());

/** Creates two of everything that is listed. Returns the paths of all lists. */
async function fill(client: TestClient): Promise<string[]> {
  const { knex } = client === clients[0] ? app.production : app.sandbox;
  const nested: string[] = [];
  for (let parent = 0; parent < 2; parent += 1) {
    const lead = await make(client, leads, { tags: ['vip', 'b2b'] });
    await client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    const contact = await make(client, contacts);
    const piece = await make(client, content);
    await client.patch(`/content/${piece.id}`, { title: 'Another title' }).expect(200);
    await make(client, users);
    await make(client, metadataFields);
    const { id } = await make(client, webhooks);
    const made = await client.post('/inbound-hooks', inboundHooks.input()).expect(201);
    const token = tokenOf(made.body.data.url);
    for (const owner of [{ lead_id: lead.id }, { contact_id: contact.id }]) {
      await client.post('/notes', { ...owner, text: 'Called back.' }).expect(201);
    }
    for (let delivery = 0; delivery < 2; delivery += 1) {
      await insertDelivery(knex, id);
      const replay = await startReplay(client, id);
      await client.post(`/webhooks/${id}/replays/${replay.id}/cancel`).expect(200);
      await client.post(`/hooks/${token}`, { delivery }).expect(202);
    }
    const wrong = await sendFile(client, 'name,email\nAda,1\nBob,2\n');
    await runJobs(client === clients[0] ? app.production : app.sandbox);
    for (let stuck = 0; stuck < 2; stuck += 1) await make(client, leads, { tags: ['stuck'] });
    const job = await createJob(client, {
      resource: 'leads',
      filter: { tag: ['stuck'] },
      action: { update: { lost_reason: 'Only of lost leads' } },
    });
    await runJobs(client === clients[0] ? app.production : app.sandbox);
    const apiClient = await makeApiClient(client);
    for (let key = 0; key < 2; key += 1) await makeApiKey(client, apiClient.id);
    nested.push(
      `/imports/${wrong.id}/errors`,
      `/imports/${wrong.id}/rows`,
      `/bulk-jobs/${job.id}/errors`,
      `/clients/${apiClient.id}/keys`,
      `/leads/${lead.id}/events`,
      `/leads/${lead.id}/status-changes`,
      `/contacts/${contact.id}/events`,
      `/content/${piece.id}/events`,
      `/webhooks/${id}/deliveries`,
      `/webhooks/${id}/replays`,
      `/inbound-hooks/${made.body.data.id}/deliveries`,
    );
  }
  await client.post('/erasures', { email: uniqueEmail() }).expect(201);
  await client.post('/erasures', { email: uniqueEmail() }).expect(201);
  return [
    ...nested,
    '/leads',
    '/sales-cycles',
    '/metadata-fields',
    '/tags',
    '/contacts',
    '/content',
    '/users',
    '/notes',
    '/webhooks',
    '/inbound-hooks',
    '/imports',
    '/bulk-jobs',
    '/clients',
    '/audit-log',
    '/erasures',
  ];
}

function kindOf({ path }: List): string {
  return path.replace(/\/[a-z]+_[0-9a-z]{26}/, '/{id}');
}

describe('a cursor of a list', () => {
  it('is looked for in every list of the contract', () => {
    const listed = endpoints(readDocument()).filter((endpoint) => takes(endpoint, 'page'));
    const known = new Set(lists.map(kindOf));
    expect([...known].sort()).toEqual(listed.map(({ path }) => path).sort());
    expect(lists.map(({ cursor }) => typeof cursor)).toEqual(lists.map(() => 'string'));
  });

  it('goes on where the list ended', async () => {
    for (const { client, path, cursor } of lists) {
      await client.get(`${path}?per_page=1&cursor=${cursor}`).expect(200);
    }
  });

  it('is null on a page far beyond the end, which is empty and has the exact total', async () => {
    for (const { client, path } of lists) {
      const { body: first } = await client.get(`${path}?per_page=1`).expect(200);
      const { body } = await client.get(`${path}?per_page=1&page=2000000000`).expect(200);
      const meta = { ...first.meta, current_page: 2_000_000_000, next_cursor: null, has_more: false };
      expect({ path, ...body }).toEqual({ path, data: [], meta });
    }
  });

  it('is refused by every other list and by the other environment', async () => {
    // One list of each kind stands for its kind where kinds differ: every pair of lists would take thousands of requests.
    const kinds = new Map(lists.toReversed().map((list) => [kindOf(list), list]));
    const stands = (list: List) => kinds.get(kindOf(list)) === list;
    for (const list of lists) {
      const { at, client, path } = list;
      const others = lists.filter(
        (other) => other.at !== at && (kindOf(other) === kindOf(list) || (stands(other) && stands(list))),
      );
      for (const { cursor } of others) {
        const { message } = await expectRefusal(client.get(`${path}?cursor=${cursor}`), {
          status: 400,
          field: 'cursor',
          code: 'invalid_cursor',
        });
        expect(message).toBe('cursor belongs to another list, or to the same list of the other environment.');
      }
    }
  });

  it('is refused by the log of events', async () => {
    for (const { client, cursor } of lists) {
      const events = client.get(`/events?cursor=${cursor.slice(0, 100)}`);
      await expectRefusal(events, { status: 400, field: 'cursor', code: 'invalid_cursor' });
    }
  });
});

describe('a cursor of the log of events', () => {
  it('is refused by the other environment', async () => {
    for (const [own, other] of [clients, clients.toReversed()] as [TestClient, TestClient][]) {
      const after = await latest(own);
      expect(after.length).toBeLessThanOrEqual(100);
      await own.get(`/events?cursor=${after}`).expect(200);
      const { message } = await expectRefusal(other.get(`/events?cursor=${after}`), {
        status: 400,
        field: 'cursor',
        code: 'invalid_cursor',
      });
      expect(message).toMatch(/^cursor belongs to the (sandbox|production) log/);
    }
  });

  it('is taken with other filters, since it is a place in the log', async () => {
    const [client] = clients as [TestClient];
    const { body } = await client.get('/events?event_types=lead.created&per_page=1').expect(200);
    await client.get(`/events?event_types=user.created&cursor=${body.meta.next_cursor}`).expect(200);
  });

  it('is refused by every list', async () => {
    for (const { client, path } of lists) {
      await expectRefusal(client.get(`${path}?cursor=${await latest(client)}`), {
        status: 400,
        field: 'cursor',
        code: 'invalid_cursor',
      });
    }
  });
});
