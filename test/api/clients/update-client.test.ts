import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  admin = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

let count = 0;

async function newUser(name: string): Promise<string> {
  count += 1;
  const { body } = await client.post('/users', { name, email: `client-${count}@example.com` }).expect(201);
  return body.data.id;
}

describe('the user of a client', () => {
  it('is who its writes are for, unless a request names another one, also after a change', async () => {
    const [ada, grace] = [await newUser('Ada'), await newUser('Grace')];
    const program = await app.client(['read', 'write']);
    const { client_id } = (await program.get('/auth/me').expect(200)).body.data;
    const path = `/clients/${client_id}`;
    const first = await createLead(program);
    expect((await eventsOf(client, first.id))[0]?.actor.user_id).toBeNull();
    const changed = await admin.patch(path, { user_id: ada }).expect(200);
    expect(changed.body.data).toMatchObject({ user_id: ada, version: 2 });
    expect((await program.get('/auth/me').expect(200)).body.data.user_id).toBe(ada);
    const second = await createLead(program);
    expect((await eventsOf(client, second.id))[0]?.actor.user_id).toBe(ada);
    const third = await createLead(program.with({ 'Acting-User': grace }));
    expect((await eventsOf(client, third.id))[0]?.actor.user_id).toBe(grace);
    await client.delete(`/users/${ada}`).expect(204);
    expect((await admin.get(path).expect(200)).body.data.user_id).toBeNull();
    const log = await admin.get(`/audit-log?client_id=${client_id}&action=client.updated`);
    expect(log.body.data).toHaveLength(1);
  });

  it('can be set when it is created, and must be active', async () => {
    const ada = await newUser('Ada');
    const input = { name: 'Dialer', scopes: ['leads:write'] };
    const { body } = await admin.post('/clients', { ...input, user_id: ada }).expect(201);
    expect(body.data.user_id).toBe(ada);
    const refused = await admin.post('/clients', { ...input, user_id: 'user_01m7w4n5e0eymtkc82hvhg0xb9' });
    expect(refused.body.errors).toEqual({ user_id: ['user_id must be the id of an active user.'] });
  });
});

describe('PATCH /clients/{id}', () => {
  it('renames a client, and leaves an unchanged one at its version', async () => {
    const { body } = await admin.post('/clients', { name: 'Dialer', scopes: ['leads:write'] }).expect(201);
    const path = `/clients/${body.data.id}`;
    const renamed = await admin.patch(path, { name: 'Phone' }).expect(200);
    expect(renamed.body.data).toMatchObject({ name: 'Phone', version: 2 });
    expect((await admin.patch(path, { name: 'Phone' }).expect(200)).body.data.version).toBe(2);
    await client.patch(path, { name: 'Mine' }).expect(403);
  });
});
