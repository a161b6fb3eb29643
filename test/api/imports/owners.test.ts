import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, errorsOf, importFile, send, upload } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() =>
  app.production.knex.raw('delete from leads; delete from contacts; delete from content; delete from users'),
);

async function createUser(name: string, email: string, active = true): Promise<string> {
  const { body } = await client.post('/users', { name, email, active }).expect(201);
  return body.data.id;
}

async function only(path: string) {
  const { body } = await client.get(path).expect(200);
  expect(body.data).toHaveLength(1);
  return body.data[0];
}

const unknown = 'There is no active user with this email address, so the row has no owner.';

describe('owners in an import', () => {
  it.each(['leads', 'contacts'])('of %s are found by email', async (resource) => {
    const grace = await createUser('Grace Hopper', 'grace@example.com');
    const rows = csv(
      'name,email,assigned_user_email',
      'Ada,ada@example.com,GRACE@Example.com',
      'Bob,bob@example.com,Grace Hopper <grace@example.com>',
      'Cyd,cyd@example.com,Grace Hopper (grace@example.com)',
      'Dan,dan@example.com,',
    );
    const { id, counts } = await importFile(app, client, rows, `resource=${resource}`);
    expect(counts).toMatchObject({ created: 4, warned: 0 });
    expect(await errorsOf(client, id)).toEqual([]);
    const { body } = await client.get(`/${resource}?assigned_user_id=${grace}&sort=name`).expect(200);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Ada', 'Bob', 'Cyd']);
    const events = await client.get(`/events?resource_id=${body.data[0].id}`).expect(200);
    expect(events.body.data[0]).toMatchObject({ data: { object: { assigned_user_id: grace } } });
  });

  it('are found by the ASCII form of their email', async () => {
    const user = await createUser('Jürgen', 'jurgen@xn--mnchen-3ya.de');
    await importFile(
      app,
      client,
      csv('name,email,assigned_user_email', 'Ada,a@example.com,jurgen@MÜNCHEN.de'),
    );
    expect((await only('/leads')).assigned_user_id).toBe(user);
  });

  it('are found by name, if only one user has it', async () => {
    const grace = await createUser('Grace Hopper', 'grace@example.com');
    await createUser('Alan Turing', 'alan@example.com');
    await createUser('Alan Turing', 'alan2@example.com');
    const rows = csv(
      'name,email,Contact owner',
      'Ada,ada@example.com,Grace  Hopper',
      'Bob,bob@example.com,Alan Turing',
      'Cyd,cyd@example.com,Nobody',
    );
    const mapping = { 'Contact owner': 'assigned_user_email' };
    const { id, counts } = await importFile(app, client, rows, '', { mapping });
    expect(counts).toMatchObject({ created: 3, failed: 0, warned: 2 });
    expect(await errorsOf(client, id)).toMatchObject([
      {
        row: 3,
        severity: 'warning',
        column: 'Contact owner',
        field: 'assigned_user_email',
        message: 'Several users have this name, so the row has no owner.',
      },
      {
        row: 4,
        message:
          'There is no active user with this name, so the row has no owner. Create the user first: a name is not enough ' +
          'for that.',
      },
    ]);
    expect((await only('/leads?email=ada@example.com')).assigned_user_id).toBe(grace);
    expect((await only('/leads?email=bob@example.com')).assigned_user_id).toBeNull();
  });

  it('who are unknown or inactive are reported, and the rows go in without them', async () => {
    await createUser('Grace Hopper', 'grace@example.com', false);
    const rows = csv(
      'name,email,assigned_user_email',
      'Ada,ada@example.com,grace@example.com',
      'Bob,bob@example.com,nobody@example.com',
    );
    const { id, counts } = await importFile(app, client, rows);
    expect(counts).toMatchObject({ created: 2, failed: 0, warned: 2 });
    expect(await errorsOf(client, id)).toMatchObject([
      { row: 2, message: unknown },
      { row: 3, message: unknown },
    ]);
  });

  it('are created as inactive users if that is wanted', async () => {
    await createUser('Grace Hopper', 'grace@example.com', false);
    const rows = csv(
      'name,email,assigned_user_email,assigned_user_name',
      'Ada,ada@example.com,grace@example.com,',
      'Bob,bob@example.com,alan@example.com,Alan Turing',
      'Cyd,cyd@example.com,Joan Clarke <joan@example.com>,',
      'Dan,dan@example.com,ALAN@example.com,',
      'Eve,eve@example.com,hedy.lamarr@example.com,',
      'Fay,fay@example.com,,Somebody',
    );
    const tried = await importFile(app, client, rows, 'create_users=true&dry_run=true');
    expect(tried.counts).toMatchObject({ created: 6, failed: 0, warned: 1 });
    expect((await client.get('/users')).body.meta.total).toBe(1);
    const { id, counts, create_users } = await importFile(app, client, rows, 'create_users=true');
    expect(create_users).toBe(true);
    expect(counts).toMatchObject({ created: 6, failed: 0, warned: 1 });
    expect(await errorsOf(client, id)).toMatchObject([
      { row: 7, field: 'assigned_user_name', column: 'assigned_user_name' },
    ]);
    const { body } = await client.get('/users?sort=name').expect(200);
    expect(body.data).toMatchObject([
      { name: 'Alan Turing', email: 'alan@example.com', active: false },
      { name: 'Grace Hopper', active: false },
      { name: 'Hedy Lamarr', email: 'hedy.lamarr@example.com', active: false },
      { name: 'Joan Clarke', active: false },
    ]);
    const [alan] = body.data;
    const owned = await client.get(`/leads?assigned_user_id=${alan.id}`).expect(200);
    expect(owned.body.meta.total).toBe(2);
    const events = await client.get(`/events?resource_id=${alan.id}`).expect(200);
    expect(events.body.data.map(({ type }: { type: string }) => type)).toEqual(['user.created']);
    const again = await importFile(app, client, rows, 'create_users=true&on_duplicate=update');
    expect(again.counts).toMatchObject({ created: 0, unchanged: 6 });
    expect((await client.get('/users')).body.meta.total).toBe(4);
  });

  it('of contacts are created, too', async () => {
    const rows = csv('name,email,assigned_user_email', 'Ada,ada@example.com,grace@example.com');
    await importFile(app, client, rows, 'resource=contacts&create_users=true');
    const grace = await only('/users');
    expect(grace).toMatchObject({ name: 'Grace', active: false });
    expect((await only('/contacts')).assigned_user_id).toBe(grace.id);
  });

  it('need a scope to be created', async () => {
    const limited = await app.client(['leads:write', 'leads:read']);
    const rows = csv('name,email,assigned_user_email', 'Ada,ada@example.com,grace@example.com');
    const { body } = await upload(limited, rows, 'create_users=true').expect(403);
    expect(body.required_scope).toBe('users:write');
    const { id } = await send(limited, rows, 'start=false');
    await limited.post(`/imports/${id}/start`, { create_users: true }).expect(403);
    const admin = await app.client(['leads:write', 'admin']);
    await admin.post(`/imports/${id}/start`, { create_users: true }).expect(202);
  });

  it('change with update, fill with merge, and give way to an id', async () => {
    const grace = await createUser('Grace Hopper', 'grace@example.com');
    const alan = await createUser('Alan Turing', 'alan@example.com');
    const row = (user: string) => csv('name,email,assigned_user_email', `Ada,ada@example.com,${user}`);
    await importFile(app, client, csv('name,email', 'Ada,ada@example.com'));
    await importFile(app, client, row('grace@example.com'), 'on_duplicate=merge');
    expect((await only('/leads')).assigned_user_id).toBe(grace);
    await importFile(app, client, row('alan@example.com'), 'on_duplicate=merge');
    expect((await only('/leads')).assigned_user_id).toBe(grace);
    await importFile(app, client, row('alan@example.com'), 'on_duplicate=update');
    expect((await only('/leads')).assigned_user_id).toBe(alan);
    const both = csv(
      'email,assigned_user_email,assigned_user_id',
      `ada@example.com,alan@example.com,${grace}`,
    );
    await importFile(app, client, both, 'on_duplicate=update');
    expect((await only('/leads')).assigned_user_id).toBe(grace);
  });

  it('are the authors of content', async () => {
    const grace = await createUser('Grace Hopper', 'grace@example.com');
    const rows = csv('title,type,author_user_email', 'Seven Ways,ebook,grace@example.com');
    await importFile(app, client, rows, 'resource=content');
    expect((await only('/content')).author_user_id).toBe(grace);
  });
});
