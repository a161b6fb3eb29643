import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { watchQueries } from '../../support/queries.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const read = async (id: string) => (await client.get(`/leads/${id}`).expect(200)).body.data;

describe("PATCH /leads/{id} with another lead's unique value", () => {
  it('is refused for the email, whatever its case, and names that lead', async () => {
    const [lead, other] = [await createLead(client), await createLead(client)];
    for (const email of [other.email, other.email.toUpperCase()]) {
      const { body } = await client.patch(`/leads/${lead.id}`, { email, name: 'B' }).expect(422);
      expect(body).toMatchObject({ code: 'duplicate_email', existing_id: other.id });
      expect(Object.keys(body.errors)).toEqual(['email']);
    }
    expect(await read(lead.id)).toEqual(lead);
  });

  it('is refused for the external id and names that lead', async () => {
    const [lead, other] = [await createLead(client), await createLead(client, { external_id: 'crm-9' })];
    const { body } = await client.patch(`/leads/${lead.id}`, { external_id: 'crm-9' }).expect(422);
    expect(body).toMatchObject({ code: 'duplicate_external_id', existing_id: other.id });
    expect(Object.keys(body.errors)).toEqual(['external_id']);
    await client.patch(`/leads/${lead.id}`, { external_id: 'CRM-9' }).expect(200);
  });

  it('names it also to a client that may not read leads', async () => {
    const [lead, other] = [await createLead(client), await createLead(client)];
    const writer = await app.client(['leads:write']);
    const { body } = await writer.patch(`/leads/${lead.id}`, { email: other.email }).expect(422);
    expect(body).toMatchObject({ code: 'duplicate_email', existing_id: other.id });
  });

  it("is no conflict if it is the lead's own, in another case", async () => {
    const lead = await createLead(client, { external_id: 'crm-10' });
    const patch = { email: lead.email.toUpperCase(), external_id: 'crm-10' };
    const { body } = await client.patch(`/leads/${lead.id}`, patch).expect(200);
    expect(body.data).toMatchObject({ email: lead.email.toUpperCase(), version: 2 });
  });

  it('succeeds if the other lead is deleted before it can be named', async () => {
    const [lead, other] = [await createLead(client), await createLead(client)];
    const queries = watchQueries(app);
    queries.before('select "id" from "leads" where', () => client.delete(`/leads/${other.id}`).expect(204));
    const { body } = await client.patch(`/leads/${lead.id}`, { email: other.email }).expect(200);
    expect(body.data).toMatchObject({ email: other.email, version: 2 });
    expect(queries.sent.filter((text) => text.startsWith('select "id" from "leads" where'))).toHaveLength(1);
    expect(await read(lead.id)).toEqual(body.data);
  });

  it('gives an email to one of many concurrent requests, and 422 to the others', async () => {
    const leads = await Promise.all(Array.from({ length: 20 }, () => createLead(client)));
    const email = uniqueEmail();
    const answers = await Promise.all(leads.map(({ id }) => client.patch(`/leads/${id}`, { email })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'duplicate_email')).toHaveLength(19);
  });
});

describe('PATCH /leads/{id} with If-Match', () => {
  it.each([
    '"1"',
    'W/"1"',
    'W/"1-gzip"',
    '"1-gzip"',
    '*',
    '"9", "1"',
    'W/"9","1"',
    '"a,b" , "1"',
    ', ,"9",,"1" ,',
  ])('changes version 1 for %s', async (tag) => {
    const { id } = await createLead(client);
    await client
      .with({ 'If-Match': tag })
      .patch(`/leads/${id}`, { name: 'B' })
      .expect(200)
      .expect('ETag', '"2"');
  });

  it.each(['"2"', 'W/"2"', 'W/"11"', '"", "x"', '"11"', '"01"'])(
    'changes nothing at version 1 for %s',
    async (tag) => {
      const lead = await createLead(client);
      const { body } = await client
        .with({ 'If-Match': tag })
        .patch(`/leads/${lead.id}`, { name: 'B' })
        .expect(412);
      expect(body).toMatchObject({ code: 'version_mismatch', message: expect.stringContaining('version 1') });
      expect(await read(lead.id)).toEqual(lead);
    },
  );

  it('answers 412 also where nothing would change', async () => {
    const { id } = await createLead(client);
    await client.with({ 'If-Match': '"2"' }).patch(`/leads/${id}`, {}).expect(412);
  });

  // biome-ignore format: a list of short things
  it.each(['1', '"1', "'1'", 'x', ',', 'W/1', '"1" or "2"', '"1" "2"', '"1""2"', '"1"W/"2"', 'W/ "1"', 'w/"1"', '*, "1"', '"1", *', '**', '"1", 2', '"a b"'])(
    "rejects %s, which isn't an entity tag",
    async (tag) => {
      const { id } = await createLead(client);
      const { body } = await client
        .with({ 'If-Match': tag })
        .patch(`/leads/${id}`, { name: 'B' })
        .expect(400);
      expect(body.code).toBe('invalid_parameter');
      expect(Object.keys(body.errors)).toEqual(['If-Match']);
    },
  );

  it('accepts one of two concurrent requests with the same version', async () => {
    const { id } = await createLead(client);
    const patcher = client.with({ 'If-Match': '"1"' });
    const answers = await Promise.all(['A', 'B'].map((name) => patcher.patch(`/leads/${id}`, { name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await read(id)).toEqual(winner?.body.data);
  });
});

describe('concurrent PATCH /leads/{id}', () => {
  it('loses none of fifty changes', async () => {
    const { id } = await createLead(client);
    const keys = Array.from({ length: 48 }, (_, index) => `key${index}`);
    const patches = [
      { company: 'Acme' },
      { phone: '+12125550123' },
      ...keys.map((key) => ({ metadata: { [key]: key } })),
    ];
    const answers = await Promise.all(patches.map((patch) => client.patch(`/leads/${id}`, patch)));
    expect(answers.map(({ status }) => status)).toEqual(patches.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.data.version)).size).toBe(50);
    expect(await read(id)).toMatchObject({
      version: 51,
      company: 'Acme',
      phone: '+12125550123',
      metadata: Object.fromEntries(keys.map((key) => [key, key])),
    });
    // A later version never has an earlier time, even if its request came first and waited.
    const times = answers
      .toSorted((a, b) => a.body.data.version - b.body.data.version)
      .map(({ body }) => body.data.updated_at);
    expect(times).toEqual(times.toSorted());
  });

  it('keeps the statuses a chain: each leaves the one that was entered before', async () => {
    const { id } = await createLead(client);
    const wanted = [
      'contacted',
      'qualified',
      'won',
      'lost',
      'new',
      'contacted',
      'won',
      'lost',
      'qualified',
      'won',
    ];
    const answers = await Promise.all(wanted.map((status) => client.patch(`/leads/${id}`, { status })));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
    const changes = (await eventsOf(client, id)).flatMap((event) =>
      event.type === 'lead.status_changed' ? (event.data.changes.status ?? []) : [],
    );
    expect(changes.length).toBeGreaterThan(5);
    expect(changes.map(({ from }) => from)).toEqual(['new', ...changes.slice(0, -1).map(({ to }) => to)]);
    expect((await read(id)).status).toBe(changes.at(-1)?.to);
  });

  it('never restores a lead that is deleted at the same time', async () => {
    const { id } = await createLead(client);
    const patch = (index: number) => client.patch(`/leads/${id}`, { name: `B${index}` });
    const [deleted, ...patched] = await Promise.all([
      client.delete(`/leads/${id}`),
      ...Array.from({ length: 10 }, (_, index) => patch(index)),
    ]);
    expect(deleted.status).toBe(204);
    const [changed, late] = [200, 404].map((status) => patched.filter((answer) => answer.status === status));
    expect([...(changed ?? []), ...(late ?? [])]).toHaveLength(10);
    for (const { body } of late ?? []) expect(body.code).toBe('not_found');
    // Each confirmed change came before the deletion.
    const updates = (changed ?? []).map(() => 'lead.updated');
    expect(typesOf(await eventsOf(client, id))).toEqual(['lead.created', ...updates, 'lead.deleted']);
    await client.get(`/leads/${id}`).expect(404);
  });
});
