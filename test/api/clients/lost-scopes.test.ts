/** Each step of an import, bulk job or replay asks again whether its client, key and user may still do it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { createLead, createUser } from '../../support/factories.ts';
import { readImport } from '../../support/imports.ts';
import {
  completed,
  endsOf,
  failed,
  newKey,
  newSubject,
  startAll,
  startDeletion,
  workAll,
} from '../../support/lost-access.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['read', 'write', 'admin']);
});

beforeEach(() => workAll(app));

afterAll(() => app.close());

describe('taking scopes from a client', () => {
  it('ends what needs them, and takes them from its tokens and keys', async () => {
    const { client, path, ...own } = await newSubject(app);
    const key = await newKey(app, { client, path, ...own }, ['leads:write', 'leads:read']);
    const all = await startAll(app, client);
    const { body } = await admin.patch(path, { scopes: ['read', 'contacts:write'] }).expect(200);
    expect(body.data).toMatchObject({ scopes: ['read', 'contacts:write'], version: 2 });
    await workAll(app);
    expect(await endsOf(admin, all)).toEqual(failed('scope_missing'));
    expect((await readImport(admin, all.started.id)).failure?.message).toBe(
      'The API client that started it no longer has the scope leads:write.',
    );
    expect((await client.get('/auth/me').expect(200)).body.data.scopes).toEqual(['read', 'contacts:write']);
    expect((await key.client.get('/auth/me').expect(200)).body.data.scopes).toEqual(['leads:read']);
    await client.post('/leads', {}).expect(403);
    await key.client.post('/leads', {}).expect(403);
    await client.get('/leads').expect(200);
    await client.post('/contacts', { name: 'Ada' }).expect(201);
  });

  it('does not end what needs none of them', async () => {
    const { client, path } = await newSubject(app);
    const all = await startAll(app, client);
    const scopes = ['leads:read', 'leads:write', 'webhooks:write'];
    await admin.patch(path, { scopes }).expect(200);
    await workAll(app);
    expect(await endsOf(admin, all)).toEqual(completed);
  });

  it('is refused for the last client with the scope admin', async () => {
    const { path } = await newSubject(app, ['admin', 'read']);
    const { client_id } = (await admin.get('/auth/me').expect(200)).body.data;
    const { data } = (await admin.get('/clients?per_page=100&status=enabled').expect(200)).body;
    const others = data.filter(
      ({ id, scopes }: { id: string; scopes: string[] }) => id !== client_id && scopes.includes('admin'),
    );
    expect(others.map(({ id }: { id: string }) => `/clients/${id}`)).toContain(path);
    for (const { id } of others) await admin.patch(`/clients/${id}`, { scopes: ['read'] }).expect(200);
    const { body } = await admin.patch(`/clients/${client_id}`, { scopes: ['read'] }).expect(409);
    expect(body.code).toBe('last_admin');
    await admin.patch(`/clients/${client_id}`, { scopes: ['read', 'write', 'admin'] }).expect(200);
  });
});

describe('revoking the API key that a job was started with', () => {
  it('ends the job, but not what the client has started with a token', async () => {
    const own = await newSubject(app);
    const key = await newKey(app, own);
    const all = await startAll(app, key.client);
    const byToken = await startDeletion(app, own.client, 1);
    await admin.post(`${key.path}/revoke`).expect(200);
    await workAll(app);
    expect(await endsOf(admin, all)).toEqual(failed('key_revoked'));
    expect((await readJob(admin, byToken.id)).status).toBe('completed');
  });

  it('ends nothing if it is a token', async () => {
    const credentials = await app.credentials();
    const answer = await app.anonymous
      .post('/auth/token', { grant_type: 'client_credentials', ...credentials })
      .expect(200);
    const token = answer.body.access_token;
    const all = await startAll(app, app.anonymous.with({ Authorization: `Bearer ${token}` }));
    await app.anonymous.post('/auth/revoke', { ...credentials, token }).expect(200);
    await workAll(app);
    expect(await endsOf(admin, all)).toEqual(completed);
  });
});

describe('a user who becomes inactive while a job acts for them', () => {
  it('is not named by its later changes', async () => {
    const user = await createUser(admin);
    const tag = randomUUID();
    const lead = await createLead(admin, { tags: [tag] });
    const job = { resource: 'leads', filter: { tag: [tag] }, action: { update: { company: 'Y' } } };
    await admin.with({ 'Acting-User': user }).post('/bulk-jobs', job).expect(202);
    await admin.patch(`/users/${user}`, { active: false }).expect(200);
    await workAll(app);
    const updated = (await eventsOf(admin, lead.id)).find(({ type }) => type === 'lead.updated');
    expect(updated?.actor.user_id).toBeNull();
  });
});
