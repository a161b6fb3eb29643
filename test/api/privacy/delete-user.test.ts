import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { makeHook } from '../../support/hooks.ts';
import { runJobs } from '../../support/jobs.ts';
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

describe('DELETE /users/{id}', () => {
  it.each<{ resource: TestResource<{ id: string }>; field: string }>([
    { resource: leads, field: 'assigned_user_id' },
    { resource: contacts, field: 'assigned_user_id' },
    { resource: content, field: 'author_user_id' },
  ])('is refused while $resource.path name the user', async ({ resource, field }) => {
    const user = await make(client, users);
    const item = await make(client, resource, { [field]: user.id });
    await expectRefusal(client.delete(`/users/${user.id}`), { field: 'id', code: 'user_in_use' });
    expect(await read(client, users, user.id)).toEqual(user);
    await client.patch(`${resource.path}/${item.id}`, { [field]: null }).expect(200);
    await client.delete(`/users/${user.id}`).expect(204);
  });

  it('leaves notes from another system whose author has the same name', async () => {
    const user = await make(client, users, { name: 'Ada Byron' });
    const lead = await make(client, leads);
    const note = { external_id: randomUUID(), lead_id: lead.id, text: 'Called', author_name: 'Ada Byron' };
    const file = client
      .post('/imports?resource=notes&start=true', JSON.stringify(note))
      .set('Content-Type', 'application/x-ndjson');
    await file.expect(202);
    await runJobs(app.production);
    const [before] = (await client.get(`/notes?lead_id=${lead.id}`).expect(200)).body.data;
    const events = await eventsOf(client, lead.id);
    await client.delete(`/users/${user.id}`).expect(204);
    expect(before).toMatchObject({ author_name: 'Ada Byron', version: 1 });
    expect((await client.get(`/notes?lead_id=${lead.id}`).expect(200)).body.data).toEqual([before]);
    expect(await eventsOf(client, lead.id)).toEqual(events);
  });

  it('is refused while an inbound hook names the user', async () => {
    const user = await make(client, users, { external_id: 'hr-2' });
    const hook = await makeHook(client, { assigned_user_id: user.id });
    for (const path of [`/users/${user.id}`, '/users/external/hr-2']) {
      await expectRefusal(client.delete(path), { field: 'id', code: 'user_in_use' });
    }
    await client.delete(hook.path).expect(204);
    await client.delete(`/users/${user.id}`).expect(204);
  });

  it('does not report other constraint violations as "user in use"', async () => {
    const user = await make(client, users);
    const { knex } = app.production;
    await knex.raw('create table badges (user_id uuid constraint badges_user_id_fkey references users)');
    try {
      await knex.raw('insert into badges values (?)', [toUuid('user', user.id) ?? '']);
      const { body } = await client.delete(`/users/${user.id}`).expect(500);
      expect(body.code).toBe('internal_error');
      expect(await read(client, users, user.id)).toEqual(user);
    } finally {
      await knex.raw('drop table badges');
    }
  });

  it('never leaves a lead with a deleted user when both requests race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await make(client, users);
      const [made, deleted] = await Promise.all([
        client.post('/leads', { ...leads.input(), assigned_user_id: id }),
        client.delete(`/users/${id}`),
      ]);
      const loser = made.status === 201 ? deleted : made;
      expect([
        [201, 409, 'user_in_use', 'id'],
        [422, 204, 'validation_failed', 'assigned_user_id'],
      ]).toContainEqual([made.status, deleted.status, loser.body.code, ...Object.keys(loser.body.errors)]);
    }
  });
});
