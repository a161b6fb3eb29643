import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** A lead with a value in every writable field. */
async function createFullLead() {
  return createLead(client, {
    phone: '+4915112345678',
    company: 'Analytical Engines',
    source: 'website',
    status: 'lost',
    lost_reason: 'Price',
    tags: ['vip', 'eu'],
    assigned_user_id: await createUser(client),
    external_id: uniqueEmail(),
    metadata: { plan: 'pro', seats: '7' },
  });
}

describe('PATCH /leads/{id}', () => {
  it('changes the given fields only, increments the version and dates the change', async () => {
    const lead = await createFullLead();
    const { body, headers } = await client.patch(`/leads/${lead.id}`, { name: 'Augusta King' }).expect(200);
    const { updated_at, ...changed } = body.data;
    const { updated_at: before, ...rest } = lead;
    expect(changed).toEqual({ ...rest, name: 'Augusta King', version: 2 });
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(before));
    expect(headers.etag).toBe('"2"');
    const read = await client.get(`/leads/${lead.id}`).expect(200);
    expect(read.body).toEqual(body);
  });

  it('changes every field that a client may set', async () => {
    const lead = await createFullLead();
    const patch = {
      name: 'Grace Hopper',
      email: uniqueEmail(),
      phone: '+12125550123',
      status: 'won',
      source: 'referral',
      company: 'Navy',
      tags: ['cobol'],
      assigned_user_id: await createUser(client),
      external_id: uniqueEmail(),
      metadata: { rank: 'admiral', plan: null, seats: null },
    };
    const { body } = await client.patch(`/leads/${lead.id}`, patch).expect(200);
    expect(body.data).toMatchObject({
      ...patch,
      metadata: { rank: 'admiral' },
      lost_reason: null,
      version: 2,
    });
    expect(body.data.metadata).toEqual({ rank: 'admiral' });
  });

  it('clears optional fields with null', async () => {
    const lead = await createFullLead();
    const cleared = {
      phone: null,
      company: null,
      assigned_user_id: null,
      external_id: null,
      lost_reason: null,
    };
    const patch = { ...cleared, tags: null, metadata: null };
    const { body } = await client.patch(`/leads/${lead.id}`, patch).expect(200);
    expect(body.data).toMatchObject({ ...cleared, tags: [], metadata: {}, status: 'lost', version: 2 });
    expect(body.data.metadata).toEqual({});
  });

  it.each(['name', 'email', 'status', 'source'])(
    'refuses null for %s, which a lead must have',
    async (field) => {
      const lead = await createLead(client);
      const { body } = await client.patch(`/leads/${lead.id}`, { [field]: null }).expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    },
  );

  it('merges metadata key by key, whatever the keys are called', async () => {
    const lead = await createLead(client, { metadata: { plan: 'pro', seats: '7' } });
    const patch =
      '{"metadata": {"plan": null, "seats": "8", "unknown": null, "__proto__": "x", "constructor": "y"}}';
    const { body } = await client.patch(`/leads/${lead.id}`, patch).expect(200);
    expect(Object.entries(body.data.metadata).toSorted()).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['seats', '8'],
    ]);
    const again = await client.patch(`/leads/${lead.id}`, { metadata: { constructor: null } }).expect(200);
    expect(Object.keys(again.body.data.metadata).toSorted()).toEqual(['__proto__', 'seats']);
  });

  it('lets metadata have fifty keys after the change, not more', async () => {
    const keys = (first: number, value: string | null) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${first + index}`, value]));
    const { id } = await createLead(client);
    await client.patch(`/leads/${id}`, { metadata: keys(0, 'x') }).expect(200);
    const { body } = await client.patch(`/leads/${id}`, { metadata: { one: 'more' } }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['metadata']);
    const swap = { metadata: { ...keys(0, null), ...keys(50, 'x') } };
    const { body: swapped } = await client.patch(`/leads/${id}`, swap).expect(200);
    expect(swapped.data.metadata).toEqual(keys(50, 'x'));
  });

  it('replaces tags as a whole and drops repeats', async () => {
    const lead = await createLead(client, { tags: ['vip', 'eu'] });
    const { body } = await client.patch(`/leads/${lead.id}`, { tags: ['eu', 'new', 'eu'] }).expect(200);
    expect(body.data.tags).toEqual(['eu', 'new']);
  });

  it.each(['application/json', 'application/merge-patch+json', 'Application/JSON; charset=utf-8'])(
    'reads %s',
    async (type) => {
      const lead = await createLead(client);
      const request = client.patch(`/leads/${lead.id}`, JSON.stringify({ company: 'Acme' }));
      const { body } = await request.set('Content-Type', type).expect(200);
      expect(body.data.company).toBe('Acme');
    },
  );

  it.each(['application/json-patch+json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'answers 415 to %s',
    async (type) => {
      const lead = await createLead(client);
      await client.patch(`/leads/${lead.id}`, '[]').set('Content-Type', type).expect(415);
    },
  );

  it('answers a patch that changes nothing with the lead as it was', async () => {
    const lead = await createFullLead();
    const readOnly = Object.keys(lead).filter((field) =>
      /^(id|content_id|version|sales_cycle.*|.*_at)$/.test(field),
    );
    const same = Object.fromEntries(Object.entries(lead).filter(([field]) => !readOnly.includes(field)));
    for (const patch of [
      {},
      same,
      { name: lead.name },
      { metadata: {} },
      { metadata: { gone: null } },
      { tags: ['vip', 'eu', 'vip'] },
    ]) {
      const { body, headers } = await client.patch(`/leads/${lead.id}`, patch).expect(200);
      expect(body.data).toEqual(lead);
      expect(headers.etag).toBe('"1"');
    }
    expect(typesOf(await eventsOf(client, lead.id))).toEqual(['lead.created']);
  });

  it.each([
    'id',
    'created_at',
    'updated_at',
    'status_changed_at',
    'first_contacted_at',
    'first_qualified_at',
    'first_won_at',
    'first_lost_at',
    'version',
    'search',
    'colour',
    '__proto__',
  ])('rejects %s by name: it is read-only or unknown', async (field) => {
    const lead = await createLead(client);
    const { body } = await client.patch(`/leads/${lead.id}`, `{"name": "B", "${field}": "x"}`).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(body.errors[field][0]).toContain('read-only');
    await client.get(`/leads/${lead.id}`).expect(200).expect('ETag', '"1"');
  });

  it('names every field that is wrong', async () => {
    const lead = await createLead(client);
    const patch = {
      name: ' ',
      email: 'x',
      phone: '1',
      tags: ['a', ''],
      metadata: { plan: 'x'.repeat(501) },
      status: 'sold',
    };
    const { body } = await client.patch(`/leads/${lead.id}`, patch).expect(422);
    const fields = ['email', 'metadata.plan', 'name', 'phone', 'status', 'tags.1'];
    expect(Object.keys(body.errors).toSorted()).toEqual(fields);
  });

  it.each(['[]', '"x"', 'null', '1', '{'])("answers 400 to %s, which isn't a JSON object", async (text) => {
    const lead = await createLead(client);
    const { body } = await client.patch(`/leads/${lead.id}`, text).expect(400);
    expect(body.code).toBe('invalid_json');
  });

  it.each(['lead_01h455vb4pex5vsknk084sn02q', 'x'])('answers 404 for %s', async (id) => {
    await client.patch(`/leads/${id}`, { name: 'B' }).expect(404);
  });
});

describe('PATCH /leads/{id} to an assignee', () => {
  it('takes an active user only', async () => {
    const lead = await createLead(client);
    const inactive = await createUser(client, { active: false });
    for (const assigned_user_id of [inactive, 'user_01h455vb4pex5vsknk084sn02q']) {
      const { body } = await client.patch(`/leads/${lead.id}`, { assigned_user_id }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['assigned_user_id']);
    }
  });

  it('keeps an assignee who has become inactive, so that a lead can be sent back as it was read', async () => {
    const assigned_user_id = await createUser(client);
    const lead = await createLead(client, { assigned_user_id });
    await client.patch(`/users/${assigned_user_id}`, { active: false }).expect(200);
    const { body } = await client.patch(`/leads/${lead.id}`, { assigned_user_id, name: 'B' }).expect(200);
    expect(body.data).toMatchObject({ assigned_user_id, name: 'B', version: 2 });
  });

  it('rejects content that does not exist and can clear it', async () => {
    const lead = await createLead(client);
    const content_id = 'content_01h455vb4pex5vsknk084sn02q';
    const { body } = await client.patch(`/leads/${lead.id}`, { content_id }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['content_id']);
    await client.patch(`/leads/${lead.id}`, { content_id: null }).expect(200);
  });
});
