import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, makeHook, readDelivery, sendIn } from '../../support/hooks.ts';
import {
  contacts,
  content,
  expectRefusal,
  leads,
  make,
  read,
  type TestResource,
  users,
} from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** Each resource that a user may be named in, and the field. */
const references: { resource: TestResource<{ id: string }>; field: string }[] = [
  { resource: leads, field: 'assigned_user_id' },
  { resource: contacts, field: 'assigned_user_id' },
  { resource: content, field: 'author_user_id' },
];

describe('PATCH /users/{id}', () => {
  it('lists the hooks and clients that still name the user', async () => {
    const admin = await app.client(['read', 'write', 'admin']);
    const [leaver, other] = [await make(admin, users), await make(admin, users)];
    const answer = await admin.patch(`/users/${leaver.id}`, { metadata: { left: 'no' } }).expect(200);
    expect(answer.body.data.named_by).toEqual([]);
    const owned = await makeHook(admin, { assigned_user_id: leaver.id });
    const values = { source: { Fair: { assigned_user_id: leaver.id } } };
    const translated = await makeHook(admin, { values });
    const mapped = await makeHook(admin, {
      mapping: { email: '/email', name: '/name', assigned_user_id: { path: '/owner', default: leaver.id } },
    });
    await makeHook(admin, { assigned_user_id: other.id });
    const { body: made } = await admin
      .post('/clients', { name: 'Hers', scopes: ['leads:read'], user_id: leaver.id })
      .expect(201);
    const { body } = await admin.patch(`/users/${leaver.id}`, { active: false }).expect(200);
    const wanted = [owned.id, translated.id, mapped.id, made.data.id];
    expect(body.data.named_by).toEqual(wanted);
    const job = await admin.post(`/users/${leaver.id}/reassign`, { to: other.id }).expect(202);
    expect(job.body.data.action.reassign.named_by).toEqual(wanted);
    const sent = await sendIn(app, owned, formInput());
    expect(await readDelivery(admin, owned, sent.delivery_id)).toMatchObject({
      warnings: [{ field: 'assigned_user_id' }],
    });
  });

  it('deactivates, and activates again', async () => {
    const { id } = await make(client, users);
    for (const active of [false, true]) {
      const { body } = await client.patch(`/users/${id}`, { active }).expect(200);
      expect(body.data.active).toBe(active);
    }
  });

  it('merges the metadata, and clears the external id', async () => {
    const { id } = await make(client, users, { external_id: 'hr-7', metadata: { team: 'EMEA', desk: '4' } });
    const patch = { external_id: null, metadata: { desk: null, floor: '2' } };
    const { body } = await client.patch(`/users/${id}`, patch).expect(200);
    expect(body.data).toMatchObject({
      external_id: null,
      metadata: { team: 'EMEA', floor: '2' },
      version: 2,
    });
  });

  it.each(['email', 'active'])('rejects to clear %s', async (field) => {
    const { id } = await make(client, users);
    await expectRefusal(client.patch(`/users/${id}`, { [field]: null }), { field });
  });

  describe.each(references)('an inactive user, in $field of $resource.path', ({ resource, field }) => {
    it("can't be assigned anything new", async () => {
      const { id } = await make(client, users, { active: false });
      const created = client.post(resource.path, { ...resource.input(), [field]: id });
      await expectRefusal(created, { field });
      const other = await make(client, resource);
      await expectRefusal(client.patch(`${resource.path}/${other.id}`, { [field]: id }), { field });
    });

    it("keeps existing assignments, but can't get them back", async () => {
      const { id } = await make(client, users);
      const item = await make(client, resource, { [field]: id });
      const path = `${resource.path}/${item.id}`;
      await client.patch(`/users/${id}`, { active: false }).expect(200);
      expect(await read(client, resource, item.id)).toMatchObject({ [field]: id });
      await client.patch(path, { [field]: id, tags: ['kept'] }).expect(200);
      await client.patch(path, { [field]: null }).expect(200);
      await expectRefusal(client.patch(path, { [field]: id }), { field });
    });
  });
});
