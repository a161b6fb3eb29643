import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, expectRefusal, leads, make, read, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const convert = (id: string, body?: object) => client.post(`/leads/${id}/convert`, body);

describe('POST /leads/{id}/convert', () => {
  it('makes a contact of the lead and links both', async () => {
    const lead = await make(client, leads, {
      ...{ phone: '+4915112345678', company: 'Analytical Engines', tags: ['vip'] },
      ...{ assigned_user_id: (await make(client, users)).id, external_id: 'crm-1', metadata: { a: 'b' } },
    });
    const { body, headers } = await convert(lead.id).expect(201).expect('ETag', '"2"');
    const { contact } = body.data;
    const { name, email, phone, company, tags, assigned_user_id } = lead;
    expect(contact).toMatchObject({ name, email, phone, company, tags, assigned_user_id, version: 1 });
    expect(contact).toMatchObject({ title: null, external_id: null, metadata: {} });
    expect(headers.location).toBe(`https://api.test/v1/contacts/${contact.id}`);
    expect(body.data.contact_created).toBe(true);
    const { updated_at } = body.data.lead;
    expect(body.data.lead).toEqual({ ...lead, contact_id: contact.id, version: 2, updated_at });
    expect(await read(client, leads, lead.id)).toEqual(body.data.lead);
    expect(await read(client, contacts, contact.id)).toEqual(contact);
    const listed = await client.get(`/leads?contact_id=${contact.id}`).expect(200);
    expect(listed.body.data).toEqual([body.data.lead]);
  });

  it('links the contact that has the email already, whatever its case, and leaves it as it is', async () => {
    const contact = await make(client, contacts, { name: 'Other', email: 'Known@Example.com' });
    const lead = await make(client, leads, { email: 'known@example.COM', company: 'New' });
    const { body } = await convert(lead.id).expect(201);
    expect(body.data).toMatchObject({ contact_created: false, contact, lead: { contact_id: contact.id } });
    expect(await read(client, contacts, contact.id)).toEqual(contact);
  });

  it('links the contact that is named, whatever its email', async () => {
    const contact = await make(client, contacts);
    const lead = await make(client, leads);
    const { body } = await convert(lead.id, { contact_id: contact.id }).expect(201);
    expect(body.data).toMatchObject({ contact_created: false, contact });
  });

  it('gives the lead a status with it, in one change', async () => {
    const lead = await make(client, leads);
    const { body } = await convert(lead.id, { status: 'won' }).expect(201);
    const { status_changed_at, updated_at } = body.data.lead;
    expect(body.data.lead).toMatchObject({ status: 'won', version: 2 });
    expect(status_changed_at).toBe(updated_at);
    const reached = await client.get(`/leads?reached=won&email=${lead.email}`).expect(200);
    expect(reached.body.meta.total).toBe(1);
  });

  it('answers 200 to a lead that is converted, and changes nothing', async () => {
    const lead = await make(client, leads);
    const first = await convert(lead.id).expect(201);
    for (const body of [undefined, {}, { status: 'won' }, { contact_id: first.body.data.contact.id }]) {
      const again = await convert(lead.id, body).expect(200).expect('ETag', '"2"');
      expect(again.body.data).toEqual({ ...first.body.data, contact_created: false });
    }
  });

  it('creates one contact for ten concurrent conversions', async () => {
    const lead = await make(client, leads);
    const answers = await Promise.all(Array.from({ length: 10 }, () => convert(lead.id)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.data.contact.id)).size).toBe(1);
    const { body } = await client.get(`/contacts?email=${lead.email}`).expect(200);
    expect(body.meta.total).toBe(1);
  });

  it('creates one contact when a client creates it at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email } = await make(client, leads);
      const [converted, made] = await Promise.all([
        convert(id),
        client.post('/contacts', { name: 'By hand', email }),
      ]);
      expect(converted.status).toBe(201);
      expect(made.status).toBe(converted.body.data.contact_created ? 422 : 201);
    }
  });

  it('leaves out an inactive assignee', async () => {
    const user = await make(client, users);
    const lead = await make(client, leads, { assigned_user_id: user.id });
    await client.patch(`/users/${user.id}`, { active: false }).expect(200);
    const { body } = await convert(lead.id).expect(201);
    expect(body.data.contact.assigned_user_id).toBeNull();
    expect(body.data.lead.assigned_user_id).toBe(user.id);
  });

  it('leaves a lead that can still be edited, and stays converted', async () => {
    const { id } = await make(client, leads);
    const { body } = await convert(id).expect(201);
    const patched = await client.patch(`/leads/${id}`, { name: 'New', status: 'lost' }).expect(200);
    expect(patched.body.data).toMatchObject({ name: 'New', contact_id: body.data.contact.id, version: 3 });
  });
});

describe('POST /leads/{id}/convert refuses', () => {
  it('a lost lead, converted or not', async () => {
    const lead = await make(client, leads, { status: 'lost' });
    await expectRefusal(convert(lead.id), { field: 'status', code: 'lead_lost' });
    await expectRefusal(convert(lead.id, { status: 'won' }), { field: 'status', code: 'lead_lost' });
    expect(await read(client, leads, lead.id)).toEqual(lead);
    const listed = await client.get(`/contacts?email=${lead.email}`).expect(200);
    expect(listed.body.meta.total).toBe(0);
    const other = await make(client, leads);
    await convert(other.id).expect(201);
    await client.patch(`/leads/${other.id}`, { status: 'lost' }).expect(200);
    await expectRefusal(convert(other.id), { field: 'status', code: 'lead_lost' });
  });

  it('another contact for a lead that has one', async () => {
    const { id } = await make(client, leads);
    await convert(id).expect(201);
    const contact_id = (await make(client, contacts)).id;
    await expectRefusal(convert(id, { contact_id }), { field: 'contact_id', code: 'already_converted' });
  });

  it.each([
    ['contact_id', 'contact_01h455vb4pex5vsknk084sn02q'],
    ['contact_id', 'lead_01h455vb4pex5vsknk084sn02q'],
    ['contact_id', 7],
    ['status', 'lost'],
    ['status', 'started'],
    ['status', null],
    ['name', 'Ada'],
  ])('%s %j by name', async (field, value) => {
    const lead = await make(client, leads);
    await expectRefusal(convert(lead.id, { [field]: value }), { field });
    expect(await read(client, leads, lead.id)).toEqual(lead);
  });

  it('another version of the lead', async () => {
    const { id } = await make(client, leads);
    await client.with({ 'If-Match': '"2"' }).post(`/leads/${id}/convert`).expect(412);
    await client.with({ 'If-Match': '"1"' }).post(`/leads/${id}/convert`).expect(201);
  });

  it.each(['leads:write', 'contacts:write'])('a client that has %s only', async (scope) => {
    const { id } = await make(client, leads);
    const { body } = await (await app.client([scope])).post(`/leads/${id}/convert`).expect(403);
    expect(body.required_scope).toContain(scope === 'leads:write' ? 'contacts:write' : 'leads:write');
  });
});
