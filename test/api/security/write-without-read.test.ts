/** `write` does not include `read`: a client that may only write learns nothing from responses but what it sent. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { inboundHooks, makeHook } from '../../support/hooks.ts';
import { contacts, content, leads, make, type TestResource, users } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;
/** May write everything and read nothing. */
let writer: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  writer = await app.client(['write']);
});

afterAll(() => app.close());

interface Written {
  resource: TestResource;
  /** A field that the writer doesn't send. */
  hidden: object;
  change: object;
}

const written: Written[] = [
  { resource: leads, hidden: { company: 'Hidden Ltd.' }, change: { phone: '+4915112345678' } },
  { resource: contacts, hidden: { company: 'Hidden Ltd.' }, change: { phone: '+4915112345678' } },
  { resource: content, hidden: { summary: 'Hidden.' }, change: { title: 'Seen' } },
  { resource: users, hidden: {}, change: { active: false } },
  { resource: webhooks as TestResource, hidden: { description: 'Hidden.' }, change: { event_types: ['*'] } },
  { resource: inboundHooks as TestResource, hidden: { default_tags: ['hidden'] }, change: { name: 'Seen' } },
];

describe.each(written.map((each): [string, Written] => [each.resource.path, each]))(
  'PATCH %s/{id}',
  (_, { resource, hidden, change }) => {
    it.each([
      ['nothing', {}],
      ['something', change],
    ])('that changes %s is done, without a body', async (_what, patch) => {
      const { id } = await make(client, resource, hidden);
      const { headers, text } = await writer.patch(`${resource.path}/${id}`, patch).expect(204);
      expect(text).toBe('');
      const read = await client.get(`${resource.path}/${id}`).expect(200);
      expect(read.body.data).toMatchObject({ ...hidden, ...patch });
      expect(headers.etag).toBe(read.headers.etag);
    });

    it('shows it to those who may read it', async () => {
      const { id } = await make(client, resource, hidden);
      const { body } = await client.patch(`${resource.path}/${id}`, {}).expect(200);
      expect(body.data).toMatchObject({ id, ...hidden });
    });
  },
);

describe.each([leads, contacts] as TestResource[])('$path', (resource) => {
  const { path } = resource;

  it('PUT shows what it creates, but not existing data', async () => {
    const external = `${path}/external/${randomUUID()}`;
    const input = resource.input();
    const { body } = await writer.put(external, input).expect(201);
    expect(body.data).toMatchObject(input);
    await client.patch(`${path}/${body.data.id}`, { company: 'Hidden Ltd.' }).expect(200);
    for (const patch of [{}, { phone: '+4915112345678' }]) {
      expect((await writer.put(external, patch).expect(204)).text).toBe('');
    }
    const read = await client.get(`${path}/${body.data.id}`).expect(200);
    expect(read.body.data).toMatchObject({ company: 'Hidden Ltd.', phone: '+4915112345678', version: 3 });
  });

  it('batches show what they create, and only the ids of existing data', async () => {
    const { id, ...existing } = await make(client, resource, { company: 'Hidden Ltd.' });
    const { email } = existing as unknown as { email: string };
    const items = [{ email }, { email, phone: '+4915112345678' }, resource.input()];
    const upserted = await writer.post(`${path}/batch/upsert`, { match: 'email', items }).expect(200);
    const [unchanged, updated, created] = upserted.body.data;
    expect([unchanged, updated]).toEqual([
      { index: 0, status: 'unchanged', id },
      { index: 1, status: 'updated', id },
    ]);
    expect(created[resource.prefix]).toMatchObject(items[2] as object);
    const changes = {
      items: [
        { id, patch: {} },
        { id, patch: { phone: null } },
      ],
    };
    const changed = await writer.post(`${path}/batch/update`, changes).expect(200);
    expect(changed.body.data).toEqual([
      { index: 0, status: 'unchanged', id },
      { index: 1, status: 'updated', id },
    ]);
    const shown = await client.post(`${path}/batch/update`, changes).expect(200);
    expect(shown.body.data[0][resource.prefix]).toMatchObject({ id, company: 'Hidden Ltd.' });
  });

  it('notes are changed without being shown', async () => {
    const { id } = await make(client, resource);
    const note = (await client.post(`${path}/${id}/notes`, { text: 'Hidden.' }).expect(201)).body.data;
    expect((await writer.patch(`${path}/${id}/notes/${note.id}`, {}).expect(204)).text).toBe('');
  });
});

describe('other writes', () => {
  it.each([
    ['leads:read', 204],
    ['contacts:read', 204],
    ['read', 201],
  ])(
    'convert a lead, and show it with its contact only to those who may read both: %s',
    async (scope, status) => {
      const { id } = await make(client, leads, { company: 'Hidden Ltd.' });
      const converter = await app.client(['write', scope]);
      const first = await converter.post(`/leads/${id}/convert`, {}).expect(status);
      expect(first.text.includes('Hidden')).toBe(status === 201);
      expect(first.headers).toHaveProperty('etag', '"2"');
      expect('location' in first.headers).toBe(status === 201);
      await converter.post(`/leads/${id}/convert`, {}).expect(status === 201 ? 200 : 204);
    },
  );

  it.each(['publish', 'archive', 'unpublish'])('%s content without showing it', async (act) => {
    const { id } = await make(client, content, { summary: 'Hidden.' });
    for (const _ of ['first', 'again']) {
      expect((await writer.post(`/content/${id}/${act}`).expect(204)).text).toBe('');
    }
  });

  it("may replay a hook's payload without seeing it", async () => {
    const hook = await makeHook(client);
    const { body } = await client.post(`/hooks/${hook.token}`, { nonce: randomUUID() }).expect(202);
    const replay = `${hook.path}/deliveries/${body.data.delivery_id}/replay`;
    expect((await writer.post(replay).expect(204)).text).toBe('');
  });
});
