/** `write` does not include `read`: a client that may only write sees what it writes, and can't list or search. */
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
  other: object;
  change: object;
}

const written: Written[] = [
  { resource: leads, other: { company: 'Acme' }, change: { phone: '+4915112345678' } },
  { resource: contacts, other: { company: 'Acme' }, change: { phone: '+4915112345678' } },
  { resource: content, other: { summary: 'Seven ways.' }, change: { title: 'Ways' } },
  { resource: users, other: {}, change: { active: false } },
  { resource: webhooks as TestResource, other: { description: 'CRM' }, change: { event_types: ['*'] } },
  { resource: inboundHooks as TestResource, other: { default_tags: ['web'] }, change: { name: 'Form' } },
];

describe.each(written.map((each): [string, Written] => [each.resource.path, each]))(
  '%s',
  (_, { resource, other, change }) => {
    it.each([
      ['nothing', {}],
      ['something', change],
    ])('a PATCH that changes %s shows the resource', async (_what, patch) => {
      const { id } = await make(client, resource, other);
      const { body } = await writer.patch(`${resource.path}/${id}`, patch).expect(200);
      expect(body.data).toMatchObject({ id, ...other, ...patch });
    });

    it('reading and listing is a 403', async () => {
      const { id } = await make(client, resource, other);
      await writer.get(`${resource.path}/${id}`).expect(403);
      await writer.get(resource.path).expect(403);
    });
  },
);

describe.each([leads, contacts] as TestResource[])('$path', (resource) => {
  const { path, prefix } = resource;

  it('an upsert shows what it creates and what it changes', async () => {
    const external = `${path}/external/${randomUUID()}`;
    const input = resource.input();
    const { body } = await writer.patch(external, input).expect(201);
    expect(body.data).toMatchObject(input);
    await client.patch(`${path}/${body.data.id}`, { company: 'Acme' }).expect(200);
    const changed = await writer.patch(external, { phone: '+4915112345678' }).expect(200);
    expect(changed.body.data).toMatchObject({ ...input, company: 'Acme', phone: '+4915112345678' });
  });

  it('batches show what they create and what they change', async () => {
    const { id, ...existing } = await make(client, resource, { company: 'Acme' });
    const { email } = existing as unknown as { email: string };
    const items = [{ email }, { email, phone: '+4915112345678' }, resource.input()];
    const upserted = await writer.post(`${path}/batch/upsert`, { match: 'email', items }).expect(200);
    expect(upserted.body.data).toMatchObject([
      { status: 'unchanged', id, [prefix]: { company: 'Acme' } },
      { status: 'updated', id, [prefix]: { company: 'Acme', phone: '+4915112345678' } },
      { status: 'created', [prefix]: items[2] },
    ]);
    const changes = { items: [{ id, patch: { phone: null } }] };
    const { body } = await writer.post(`${path}/batch/update`, changes).expect(200);
    expect(body.data).toMatchObject([{ status: 'updated', id, [prefix]: { company: 'Acme', phone: null } }]);
  });

  it('a duplicate is named', async () => {
    const { id, ...existing } = await make(client, resource);
    const { email } = existing as unknown as { email: string };
    const { body } = await writer.post(path, { ...resource.input(), email }).expect(422);
    expect(body).toMatchObject({ code: 'duplicate_email', existing_id: id });
  });

  it('a note is shown after a change', async () => {
    const { id } = await make(client, resource);
    const note = (await client.post('/notes', { [`${resource.prefix}_id`]: id, text: 'Called.' }).expect(201))
      .body.data;
    const { body } = await writer.patch(`/notes/${note.id}`, { pinned: true }).expect(200);
    expect(body.data).toMatchObject({ text: 'Called.', pinned: true });
  });
});

describe('other writes', () => {
  it('converting a lead shows the lead and its contact', async () => {
    const { id } = await make(client, leads, { company: 'Acme' });
    for (const status of [201, 200]) {
      const { body } = await writer.post(`/leads/${id}/convert`, {}).expect(status);
      expect(body.data).toMatchObject({ lead: { id }, contact: { company: 'Acme' } });
    }
  });

  it.each(['publish', 'archive', 'unpublish'])('%s shows the content', async (act) => {
    const { id } = await make(client, content, { summary: 'Seven ways.' });
    for (const _ of ['first', 'again']) {
      const { body } = await writer.post(`/content/${id}/${act}`).expect(200);
      expect(body.data).toMatchObject({ id, summary: 'Seven ways.' });
    }
  });

  it('processing a delivery again shows its result', async () => {
    const hook = await makeHook(client);
    const { body } = await client.post(`/hooks/${hook.token}`, { nonce: randomUUID() }).expect(202);
    const replay = `${hook.path}/deliveries/${body.data.delivery_id}/reprocess`;
    const again = await writer.post(replay).expect(200);
    expect(again.body.data).toMatchObject({ status: 'rejected', errors: { name: ['name is required.'] } });
  });
});
