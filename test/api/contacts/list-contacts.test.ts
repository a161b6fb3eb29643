import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeadStatus } from '../../../src/leads/tables.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { contacts, expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let user: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  user = (await make(client, users)).id;
  await make(client, contacts, { name: 'A', tags: ['vip', 'eu'], assigned_user_id: user });
  await make(client, contacts, { name: 'B', tags: ['eu'], external_id: 'crm-1', email: 'B@Example.com' });
  await make(client, contacts, { name: 'C', company: 'Analytical Engines', email: null });
});

afterAll(() => app.close());

describe('GET /contacts', () => {
  it.each([
    ['tag=eu', 'AB'],
    ['tag=vip,nobody', 'A'],
    ['tag=EU', ''],
    ['email=b@example.com', 'B'],
    ['external_id=crm-1', 'B'],
    ['external_id=crm', ''],
    ['assigned_user_id=none', 'BC'],
    ['assigned_user_id=USER', 'A'],
    ['assigned_user_id=USER&tag=vip', 'A'],
    ['search=analytical+c', 'C'],
    ['search=example', 'AB'],
  ])('is filtered by %s', async (query, expected) => {
    const { body } = await client.get(`/contacts?${query.replace('USER', user)}&sort=name`).expect(200);
    expect(body.data.map(({ name }: { name: string }) => name).join('')).toBe(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  it.each([
    ['status=new', 'status'],
    ['assigned_user_id=me', 'assigned_user_id'],
    ['email=nobody', 'email'],
    ['sort=email', 'sort'],
    ['has_open_leads=yes', 'has_open_leads'],
  ])('rejects %s', async (query, field) => {
    const request = client.get(`/contacts?${query}`);
    await expectRefusal(request, { status: 400, field, code: 'invalid_parameter' });
  });

  it('is filtered by whether a contact has open leads', async () => {
    const named = async (name: string, ...statuses: LeadStatus[]) => {
      const { id } = await make(client, contacts, { name, tags: ['leads'] });
      for (const status of statuses) {
        const lead = await createLead(client, { status });
        // Converted later, so that the lead keeps its status.
        await client.post(`/leads/${lead.id}/convert`, { contact_id: id, status }).expect(201);
      }
      return id;
    };
    await named('K');
    await named('L', 'new');
    await named('M', 'won', 'contacted', 'qualified');
    const id = await named('N', 'won');
    const namesOf = async (query: string) => {
      const { body } = await client.get(`/contacts?tag=leads&sort=name&${query}`).expect(200);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ name }: { name: string }) => name).join('');
    };
    expect(await namesOf('has_open_leads=true')).toBe('LM');
    expect(await namesOf('has_open_leads=false')).toBe('KN');
    expect(await namesOf('has_open_leads=TRUE&search=l')).toBe('L');
    const { body } = await client.get(`/leads?contact_id=${id}`).expect(200);
    await client.patch(`/leads/${body.data[0].id}`, { status: 'new' }).expect(200);
    expect(await namesOf('has_open_leads=true')).toBe('LMN');
    await client.patch(`/leads/${body.data[0].id}`, { status: 'lost' }).expect(200);
    expect(await namesOf('has_open_leads=false')).toBe('KN');
    const { text } = await client.get('/contacts/export?has_open_leads=true&tag=leads&sort=name').expect(200);
    expect(text.match(/,[LM],/g)).toEqual([',L,', ',M,']);
  });
});
