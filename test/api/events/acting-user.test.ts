/** On whose behalf a client acts, and where it shows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Event, eventsOf } from '../../support/events.ts';
import { createLead, leadInput } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;
let admin: TestClient;
let clientId: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  admin = await app.client(['read', 'write', 'admin']);
  clientId = (await client.get('/auth/me').expect(200)).body.data.client_id;
});

afterAll(() => app.close());

let count = 0;

async function newUser(name: string): Promise<string> {
  count += 1;
  const { body } = await client.post('/users', { name, email: `acting-${count}@example.com` }).expect(201);
  return body.data.id;
}

const actingAs = (user: string, of = client) => of.with({ 'Acting-User': user });
const actorsOf = (events: readonly Event[]) => events.map(({ actor }) => actor);

describe('Acting-User', () => {
  it('is in the events, the status changes and the notes of a lead', async () => {
    const ada = await newUser('Ada');
    const actor = { type: 'client', id: clientId, user_id: ada };
    const lead = await createLead(actingAs(ada));
    await actingAs(ada).patch(`/leads/${lead.id}`, { status: 'contacted' }).expect(200);
    const note = await actingAs(ada).post('/notes', { lead_id: lead.id, text: 'Called.' }).expect(201);
    expect(note.body.data.author).toEqual(actor);
    const events = await eventsOf(client, lead.id);
    expect(actorsOf(events)).toEqual(events.map(() => actor));
    expect(events).toHaveLength(4);
    const { body } = await client.get(`/leads/${lead.id}/status-changes`).expect(200);
    const named = { ...actor, name: 'Test', user_name: 'Ada' };
    expect(body.data).toMatchObject([
      { from: 'new', to: 'contacted', seconds_in_previous_status: 0, actor: named },
      { from: null, to: 'new', seconds_in_previous_status: null, actor: named },
    ]);
  });

  it('is in the events of batches and imports', async () => {
    const ada = await newUser('Ada');
    const inputs = [leadInput(), leadInput()];
    const { body } = await actingAs(ada).post('/leads/batch/create', { items: inputs }).expect(200);
    const [{ id }] = body.data.map(({ lead }: { lead: { id: string } }) => lead);
    expect((await eventsOf(client, id))[0]?.actor.user_id).toBe(ada);
    const changes = await client.get(`/leads/${id}/status-changes`).expect(200);
    expect(changes.body.data[0].actor.user_id).toBe(ada);
  });

  it.each([
    [
      'an inactive user',
      async () => {
        const id = await newUser('Gone');
        await client.patch(`/users/${id}`, { active: false }).expect(200);
        return id;
      },
    ],
    ['an unknown user', async () => 'user_01m7w4n5e0eymtkc82hvhg0xb9'],
    ['something else', async () => 'lead_01m7w4n5e0eymtkc82hvhg0xb9'],
    ['no id at all', async () => 'Ada'],
  ])('is refused for %s, and nothing is written', async (_, user) => {
    const input = leadInput();
    const { body } = await actingAs(await user())
      .post('/leads', input)
      .expect(422);
    expect(body.errors).toEqual({ 'Acting-User': ['Acting-User must be the id of an active user.'] });
    const found = await client.get(`/leads?email=${encodeURIComponent(input.email)}`).expect(200);
    expect(found.body.meta.total).toBe(0);
  });

  it('makes a request with the same Idempotency-Key a different one', async () => {
    const [ada, grace] = [await newUser('Ada'), await newUser('Grace')];
    const key = { 'Idempotency-Key': `acting-${ada}` };
    const input = leadInput();
    await actingAs(ada).with(key).post('/leads', input).expect(201);
    await actingAs(ada).with(key).post('/leads', input).expect(201);
    const { body } = await actingAs(grace).with(key).post('/leads', input).expect(422);
    expect(body.code).toBe('idempotency_key_reused');
  });

  it('is ignored by reads', async () => {
    await actingAs('user_01m7w4n5e0eymtkc82hvhg0xb9').get('/leads').expect(200);
  });
});

describe('the scope act', () => {
  it('is needed to act for another user than the own one, and is part of write', async () => {
    const [ada, grace] = [await newUser('Ada'), await newUser('Grace')];
    const narrow = await app.client(['leads:read', 'leads:write']);
    const input = leadInput();
    const { body } = await actingAs(grace, narrow).post('/leads', input).expect(403);
    expect(body).toMatchObject({
      code: 'insufficient_scope',
      required_scope: 'act',
      message:
        'Acting-User for another user than your own needs the scope act. Your token or API key has leads:read leads:write.',
    });
    await actingAs('user_01m7w4n5e0eymtkc82hvhg0xb9', narrow).post('/leads', input).expect(403);
    await narrow.post('/leads', input).expect(201);
    const { client_id } = (await narrow.get('/auth/me').expect(200)).body.data;
    await admin.patch(`/clients/${client_id}`, { user_id: ada }).expect(200);
    const own = await createLead(actingAs(ada, narrow));
    expect((await eventsOf(client, own.id))[0]?.actor.user_id).toBe(ada);
    await actingAs(grace, narrow).post('/leads', leadInput()).expect(403);
    const acting = await app.client(['leads:write', 'act']);
    const lead = await createLead(actingAs(grace, acting));
    expect((await eventsOf(client, lead.id))[0]?.actor.user_id).toBe(grace);
    expect((await acting.get('/auth/me').expect(200)).body.data.scopes).toEqual(['leads:write', 'act']);
  });

  it('is needed to get the stored answer of a request that acted for somebody', async () => {
    const grace = await newUser('Grace');
    const credentials = await app.credentials(['leads:write', 'act']);
    const withScope = async (scope: string) => {
      const { body } = await app.anonymous
        .post('/auth/token', { grant_type: 'client_credentials', ...credentials, scope })
        .expect(200);
      return app.anonymous.with({
        Authorization: `Bearer ${body.access_token}`,
        'Idempotency-Key': `act-${grace}`,
        'Acting-User': grace,
      });
    };
    const input = leadInput();
    await (await withScope('leads:write act')).post('/leads', input).expect(201);
    await (await withScope('leads:write')).post('/leads', input).expect(403);
  });
});

describe("a client's own user", () => {
  it('is named by no write while inactive, and by GET /auth/me neither', async () => {
    const ada = await newUser('Ada');
    const own = await app.client(['read', 'write']);
    const { client_id } = (await own.get('/auth/me').expect(200)).body.data;
    await admin.patch(`/clients/${client_id}`, { user_id: ada }).expect(200);
    const actedFor = async () => {
      const lead = await createLead(own);
      const { data } = (await own.get('/auth/me').expect(200)).body;
      return [(await eventsOf(client, lead.id))[0]?.actor.user_id, data.user_id];
    };
    expect(await actedFor()).toEqual([ada, ada]);
    await client.patch(`/users/${ada}`, { active: false }).expect(200);
    expect(await actedFor()).toEqual([null, null]);
    await actingAs(ada, own).post('/leads', leadInput()).expect(422);
    await client.patch(`/users/${ada}`, { active: true }).expect(200);
    expect(await actedFor()).toEqual([ada, ada]);
  });
});

describe('who did what', () => {
  it('is a filter of events, of histories and of the audit log', async () => {
    const [ada, grace] = [await newUser('Ada'), await newUser('Grace')];
    const lead = await createLead(actingAs(ada));
    await actingAs(grace).patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    const typesBy = async (path: string) =>
      (await client.get(path).expect(200)).body.data.map(
        (event: { type?: string; to?: string }) => event.type ?? event.to,
      );
    expect(await typesBy(`/leads/${lead.id}/events?actor_user_id=${ada}`)).toEqual(['lead.created']);
    expect(await typesBy(`/leads/${lead.id}/status-changes?actor_user_id=${grace}`)).toEqual(['won']);
    expect(await typesBy(`/leads/${lead.id}/events?actor_id=${clientId}&event_types=lead.created`)).toEqual([
      'lead.created',
    ]);
    expect(await typesBy(`/events?actor_user_id=${ada}`)).toEqual(['lead.created']);
    expect(await typesBy(`/events?resource_id=${lead.id}&actor_user_id=${grace}`)).toEqual([
      'lead.updated',
      'lead.status_changed',
    ]);
    await actingAs(ada, admin)
      .post('/clients', { name: 'Made by Ada', scopes: ['leads:read'] })
      .expect(201);
    const log = await admin.get(`/audit-log?actor_user_id=${ada}`).expect(200);
    expect(log.body.data).toMatchObject([
      {
        action: 'client.created',
        name: 'Made by Ada',
        actor: { user_id: ada, name: 'Test', user_name: 'Ada' },
      },
    ]);
  });

  it('can be narrowed to a time', async () => {
    const lead = await createLead(client);
    const [{ occurred_at: at } = { occurred_at: '' }] = await eventsOf(client, lead.id);
    await client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    const total = async (query: string) =>
      (await client.get(`/leads/${lead.id}/events?${query}`).expect(200)).body.meta.total;
    expect(await total(`occurred_to=${at}`)).toBeLessThanOrEqual(3);
    expect(await total(`occurred_from=${at}`)).toBe(3);
    expect(await total('occurred_from=2099-01-01')).toBe(0);
    const feed = await client.get(`/events?resource_id=${lead.id}&occurred_to=2000-01-01`).expect(200);
    expect(feed.body.data).toEqual([]);
    const changes = await client.get(`/leads/${lead.id}/status-changes?occurred_from=2099-01-01`).expect(200);
    expect(changes.body.meta.total).toBe(0);
    await client.get(`/leads/${lead.id}/events?occurred_from=2027-01-02&occurred_to=2027-01-01`).expect(400);
  });
});

describe.each([
  ['contacts', { name: 'Ada' }, { title: 'CTO' }, ['contact.updated', 'contact.created']],
  [
    'content',
    { title: 'A guide', type: 'article' },
    { title: 'The guide' },
    ['content.updated', 'content.created'],
  ],
])('GET /%s/{id}/events', (resource, input, patch, types) => {
  it('is the history, with the names of those who made it', async () => {
    const ada = await newUser('Ada');
    const { body } = await actingAs(ada).post(`/${resource}`, input).expect(201);
    const { id } = body.data;
    await client.patch(`/${resource}/${id}`, patch).expect(200);
    const history = await client.get(`/${resource}/${id}/events`).expect(200);
    expect(history.body.data.map(({ type }: Event) => type)).toEqual(types);
    expect(history.body.data.map(({ actor }: Event) => actor)).toEqual([
      { type: 'client', id: clientId, user_id: null, name: 'Test', user_name: null },
      { type: 'client', id: clientId, user_id: ada, name: 'Test', user_name: 'Ada' },
    ]);
    await client.get(`/${resource}/${id.replace(/.{4}$/, '0000')}/events`).expect(404);
  });
});
