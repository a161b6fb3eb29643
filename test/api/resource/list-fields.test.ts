/** What every list promises about `fields`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { inboundHooks } from '../../support/hooks.ts';
import { parseLinks } from '../../support/lists.ts';
import { notes } from '../../support/notes.ts';
import {
  contacts,
  content,
  expectRefusal,
  leads,
  make,
  type TestResource,
  users,
} from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await notes.prepare?.(app);
});

afterAll(() => app.close());

const listed = [leads, contacts, content, users, notes, inboundHooks, webhooks] as TestResource<unknown>[];

describe.each(listed)('GET $path?fields=', (resource) => {
  const { path } = resource;

  it('shows only these fields and the id, with the same total, pages and links', async () => {
    for (let count = 0; count < 3; count += 1) await make(client, resource);
    const whole = await client.get(`${path}?per_page=2`).expect(200);
    const fields = 'created_at,version,version';
    const { body, headers } = await client.get(`${path}?per_page=2&fields=${fields}`).expect(200);
    expect(body.meta).toEqual(whole.body.meta);
    expect(body.data).toEqual(
      whole.body.data.map(({ id, created_at, version }: Record<string, unknown>) => ({
        id,
        created_at,
        version,
      })),
    );
    const { next = '' } = parseLinks(headers.link ?? '');
    expect(new URL(next, 'http://host').searchParams.get('fields')).toBe(fields);
    const ids = await client.get(`${path}?per_page=2&fields=id`).expect(200);
    expect(ids.body.data).toEqual(body.data.map(({ id }: { id: string }) => ({ id })));
  });

  it('takes every field of an item', async () => {
    await make(client, resource);
    const { body } = await client.get(`${path}?per_page=1`).expect(200);
    const [item] = body.data;
    for (const name of Object.keys(item)) {
      const one = await client.get(`${path}?per_page=1&fields=${name}`).expect(200);
      expect(one.body.data).toEqual([{ id: item.id, [name]: item[name] }]);
    }
    const all = await client.get(`${path}?per_page=1&fields=${Object.keys(item).toReversed()}`).expect(200);
    expect(all.body.data).toEqual([item]);
  });

  it.each(['colour', 'id,colour', 'ID', 'constructor', 'created_at.x'])('rejects %j', async (fields) => {
    const refusal = { status: 400, field: 'fields', code: 'invalid_parameter' };
    const { errors } = await expectRefusal(client.get(`${path}?fields=${fields}`), refusal);
    // The names to choose from.
    expect(errors?.fields?.join()).toContain('created_at');
  });
});

describe('A cursor', () => {
  it('goes on with other fields', async () => {
    for (let count = 0; count < 3; count += 1) await make(client, contacts, { tags: ['cursor'] });
    const first = await client.get('/contacts?tag=cursor&per_page=1&fields=name').expect(200);
    const second = await client
      .get(`/contacts?tag=cursor&per_page=1&fields=email,phone&cursor=${first.body.meta.next_cursor}`)
      .expect(200);
    expect(Object.keys(second.body.data[0])).toEqual(['id', 'email', 'phone']);
    const third = await client
      .get(`/contacts?tag=cursor&per_page=1&cursor=${second.body.meta.next_cursor}`)
      .expect(200);
    expect(third.body.meta.next_cursor).toBeNull();
    const ids = [first, second, third].map(({ body }) => body.data[0].id);
    expect(new Set(ids).size).toBe(3);
  });
});

describe('The log and histories', () => {
  it('show only these fields of events', async () => {
    const lead = await createLead(client);
    for (const path of [`/leads/${lead.id}/events?`, `/events?resource_id=${lead.id}&`]) {
      const { body } = await client.get(`${path}fields=type,occurred_at`).expect(200);
      expect(body.data).toEqual([
        { id: expect.stringMatching(/^event_/), type: 'lead.created', occurred_at: expect.any(String) },
      ]);
    }
    const { body: latest } = await client.get('/events?cursor=latest').expect(200);
    const waited = client.get(`/events?cursor=${latest.meta.next_cursor}&wait=10&fields=type`).expect(200);
    const [{ body }] = await Promise.all([waited, createLead(client)]);
    expect(body.data).toEqual([{ id: expect.any(String), type: 'lead.created' }]);
  });
});

describe('GET /leads/export?fields=', () => {
  const get = (query: string, type: string) =>
    client.get(`/leads/export?tag=export&${query}`).set('Accept', type).expect(200);

  beforeAll(async () => {
    const value = { amount: '12.50', currency: 'EUR' };
    await createLead(client, { name: 'A', email: 'a@example.com', tags: ['export'], value });
    await createLead(client, { name: 'B', email: 'b@example.com', tags: ['export'] });
  });

  it('has the columns of a CSV file in this order, the id first unless you name it', async () => {
    const { text } = await get('fields=value,email,name&sort=name', 'text/csv');
    const [head, ...rows] = text.split('\r\n');
    expect(head).toBe('id,value.amount,value.currency,email,name');
    expect(rows.map((row) => row.replace(/^lead_\w+,/, ''))).toEqual([
      '12.50,EUR,a@example.com,A',
      ',,b@example.com,B',
      '',
    ]);
    const last = await get('fields=name,id,name', 'text/csv');
    expect(last.text.split('\r\n')[0]).toBe('name,id');
    const none = await get('fields=name&search=nobody', 'text/csv');
    expect(none.text).toBe('id,name\r\n');
  });

  it('leaves the other fields out of each line of NDJSON', async () => {
    const { text } = await get('fields=value,name&sort=name', 'application/x-ndjson');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { id: expect.any(String), name: 'A', value: { amount: '12.50', currency: 'EUR' } },
      { id: expect.any(String), name: 'B', value: null },
    ]);
  });

  it.each(['value.amount', 'colour', 'search'])('rejects %j', async (fields) => {
    for (const path of ['/leads/export', '/contacts/export']) {
      const refused = client.get(`${path}?fields=${fields}`);
      await expectRefusal(refused, { status: 400, field: 'fields', code: 'invalid_parameter' });
    }
  });
});
