/** Every change leaves its events, in its own transaction. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Event, eventsOf, follow, latest, typesOf } from '../../support/events.ts';
import {
  asListed,
  contacts,
  content,
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

const actor = async () => ({
  type: 'client',
  id: (await client.get('/auth/me').expect(200)).body.data.client_id,
  user_id: null,
});

/** The events that `act` causes. */
async function eventsAfter(act: () => Promise<unknown>): Promise<Event[]> {
  const after = await latest(client);
  await act();
  return (await follow(client, { cursor: after })).events;
}

const renamed = (nameField: string) => ({ [nameField]: 'Another Name' });

describe.each([leads, contacts, content, users] as TestResource[])('$path', (resource) => {
  const { path, prefix, nameField } = resource;

  it('records creation, change and deletion, with their actor', async () => {
    const as = client.with({ 'X-Request-Id': `request-${prefix}` });
    const made = await make(as, resource);
    const { body } = await as.patch(`${path}/${made.id}`, renamed(nameField)).expect(200);
    // Only the answer to a change of a user has it.
    delete body.data.named_by;
    const events = await eventsOf(client, made.id);
    const common = {
      id: expect.stringMatching(/^event_/),
      environment: 'production',
      request_id: `request-${prefix}`,
      actor: await actor(),
    };
    const changes = { [nameField]: { from: made[nameField], to: 'Another Name' } };
    expect(events).toEqual([
      {
        ...common,
        type: `${prefix}.created`,
        occurred_at: expect.any(String),
        data: { object: asListed(resource, made), changes: {} },
      },
      {
        ...common,
        type: `${prefix}.updated`,
        occurred_at: expect.any(String),
        data: { object: asListed(resource, body.data), changes },
      },
    ]);
    await as.delete(`${path}/${made.id}`).expect(204);
    const [, , deleted, ...more] = await eventsOf(client, made.id);
    expect(more).toEqual([]);
    expect(deleted).toMatchObject({
      type: `${prefix}.deleted`,
      data: { object: { id: made.id }, changes: {} },
    });
  });

  it('records nothing where nothing changes, is refused, or is done by a repeat', async () => {
    const made = await make(client, resource);
    const one = `${path}/${made.id}`;
    const stale = client.with({ 'If-Match': '"7"' });
    const keyed = client.with({ 'Idempotency-Key': `once-${prefix}` });
    const input = resource.input();
    const events = await eventsAfter(async () => {
      await client.patch(one, { [nameField]: made[nameField] }).expect(200);
      await client.patch(one, {}).expect(200);
      await client.patch(one, { [nameField]: '' }).expect(422);
      await stale.patch(one, renamed(nameField)).expect(412);
      await stale.delete(one).expect(412);
      await client.post(path, { ...input, [nameField]: 7 }).expect(422);
      await keyed.post(path, input).expect(201);
      await keyed.post(path, input).expect(201);
    });
    expect(typesOf(events)).toEqual([`${prefix}.created`]);
  });
});

describe('a lead', () => {
  it('also records its status, its assignee and its conversion', async () => {
    const user = await make(client, users);
    const lead = await make(client, leads);
    const patch = { status: 'lost', lost_reason: 'No budget', assigned_user_id: user.id, company: 'Ltd' };
    const changed = await eventsAfter(() => client.patch(`/leads/${lead.id}`, patch).expect(200));
    const after = await read(client, leads, lead.id);
    const status = { status: { from: 'new', to: 'lost' }, lost_reason: { from: null, to: 'No budget' } };
    const moment = {
      status_changed_at: { from: lead.status_changed_at, to: after.status_changed_at },
      first_lost_at: { from: null, to: after.status_changed_at },
    };
    const assigned = { assigned_user_id: { from: null, to: user.id } };
    const company = { company: { from: null, to: 'Ltd' } };
    expect(changed.map(({ type, data }) => [type, data])).toEqual([
      ['lead.updated', { object: after, changes: { ...status, ...moment, ...assigned, ...company } }],
      ['lead.status_changed', { object: after, changes: { ...status, ...moment } }],
      ['lead.assigned', { object: after, changes: assigned }],
    ]);
    expect(new Set(changed.map(({ request_id }) => request_id)).size).toBe(1);
    const back = await eventsAfter(() =>
      client.patch(`/leads/${lead.id}`, { status: 'new', assigned_user_id: null }).expect(200),
    );
    expect(typesOf(back)).toEqual(['lead.updated', 'lead.status_changed', 'lead.reopened', 'lead.assigned']);
    expect(back[1]?.data.changes).toMatchObject({ lost_reason: { from: 'No budget', to: null } });
  });

  it('records the contact that a conversion creates, and converts once', async () => {
    const lead = await make(client, leads);
    const convert = () => client.post(`/leads/${lead.id}/convert`, { status: 'won' });
    const events = await eventsAfter(() => Promise.all(Array.from({ length: 5 }, convert)));
    expect(typesOf(events)).toEqual([
      'contact.created',
      'lead.updated',
      'lead.status_changed',
      'lead.converted',
    ]);
    const contact_id = events[0]?.data.object.id;
    expect(events[3]?.data.changes).toEqual({ contact_id: { from: null, to: contact_id } });
    expect(events[3]?.data.object).toEqual(await read(client, leads, lead.id));
  });

  it('records that its contact was removed, however many leads the contact had', async () => {
    const contact = await make(client, contacts);
    const count = 1_200;
    await app.production.knex.raw(
      `insert into leads (id, name, email, status, source, contact_id)
      select new_uuid(), 'Lead', n || '-of-many@example.com', 'won', 'api', (select id from contacts where email = ?)
      from generate_series(1, ?) n`,
      [contact.email, count],
    );
    const events = await eventsAfter(() => client.delete(`/contacts/${contact.id}`).expect(204));
    expect(typesOf(events)).toEqual([
      ...Array.from({ length: count }, () => 'lead.updated'),
      'contact.deleted',
    ]);
    expect(new Set(events.map(({ data }) => data.object.id)).size).toBe(count + 1);
    const [first] = events;
    expect(first?.data.changes).toEqual({ contact_id: { from: contact.id, to: null } });
    expect(first?.data.object).toEqual(await read(client, leads, first?.data.object.id ?? ''));
  });
});

describe('content', () => {
  it('also records that it was published, unpublished and archived', async () => {
    const { id } = await make(client, content);
    for (const [action, type] of [
      ['publish', 'published'],
      ['unpublish', 'unpublished'],
      ['archive', 'archived'],
    ]) {
      const events = await eventsAfter(async () => {
        await client.post(`/content/${id}/${action}`).expect(200);
        await client.post(`/content/${id}/${action}`).expect(200);
      });
      expect(typesOf(events)).toEqual(['content.updated', `content.${type}`]);
      expect(events[1]?.data).toEqual(events[0]?.data);
      expect(events[1]?.data.object).toEqual(asListed(content, await read(client, content, id)));
    }
  });
});

describe('a change that fails at its commit', () => {
  it('leaves no event', async () => {
    await app.production.knex.raw(`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
      create constraint trigger refuse after insert or update on leads deferrable initially deferred
        for each row when (new.company = 'Doomed') execute function refuse()`);
    const lead = await make(client, leads);
    const events = await eventsAfter(async () => {
      await client.post('/leads', { ...leads.input(), company: 'Doomed' }).expect(500);
      await client.patch(`/leads/${lead.id}`, { company: 'Doomed', status: 'won' }).expect(500);
    });
    expect(events).toEqual([]);
    expect(typesOf(await eventsOf(client, lead.id))).toEqual(['lead.created']);
  });
});
