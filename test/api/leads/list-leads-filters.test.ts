import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser } from '../../support/factories.ts';
import { enterStatus, insertLeads, leadsPath, listNames } from '../../support/lists.ts';
import { contacts, content, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
const ids = {
  user: '',
  otherUser: '',
  content: '',
  contact: '',
};

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  ids.user = await createUser(client);
  ids.otherUser = await createUser(client);
  ids.content = (await make(client, content)).id;
  ids.contact = (await make(client, contacts)).id;
  const assigned_user_id = toUuid('user', ids.user) ?? null;
  const content_id = toUuid('content', ids.content) ?? null;
  const contact_id = toUuid('contact', ids.contact) ?? null;
  await insertLeads(app.production.knex, [
    {
      name: 'A',
      status: 'new',
      source: 'website',
      source_detail: 'Ads, spring',
      tags: ['vip', 'eu'],
      assigned_user_id,
    },
    { name: 'B', status: 'won', source: 'referral', tags: ['eu'], content_id, external_id: 'crm-1' },
    {
      name: 'C',
      status: 'lost',
      source: 'manual',
      source_detail: 'ads, spring',
      tags: ['über cool'],
      contact_id,
      email: 'C@Example.com',
    },
    { name: 'D', status: 'won', source: 'website', tags: [], assigned_user_id, external_id: 'CRM-1' },
  ]);
});

afterAll(() => app.close());

describe('GET /leads filters by', () => {
  it.each([
    ['status', 'won', 'BD'],
    ['status', 'new,lost', 'AC'],
    ['status', 'qualified', ''],
    ['status', 'new,contacted,qualified,won,lost', 'ABCD'],
    ['status', 'won,won', 'BD'],
    ['source', 'website', 'AD'],
    ['source', 'manual,referral', 'BC'],
    ['source', 'api', ''],
    ['source_detail', 'Ads, spring', 'A'],
    ['source_detail', 'Ads', ''],
    ['source_detail', 'none', 'BD'],
    ['tag', 'eu', 'AB'],
    ['tag', 'vip,über cool', 'AC'],
    ['tag', 'EU', ''],
    ['tag', 'e', ''],
    ['external_id', 'crm-1', 'B'],
    ['external_id', 'crm', ''],
    ['email', 'c@example.COM', 'C'],
    ['email', 'nobody@example.com', ''],
    ['assigned_user_id', 'none', 'BC'],
    ['content_id', 'none', 'ACD'],
    ['contact_id', 'none', 'ABD'],
    ['assigned_user_id', 'user_01h455vb4pex5vsknk084sn02q', ''],
    ['content_id', 'content_01h455vb4pex5vsknk084sn02q', ''],
    ['contact_id', 'contact_01h455vb4pex5vsknk084sn02q', ''],
  ])('%s=%s', async (name, value, expected) => {
    const names = await listNames(client, { [name]: value, sort: 'name' });
    expect(names.join('')).toBe(expected);
  });

  it('the ids of a user, content and a contact', async () => {
    expect(await listNames(client, { assigned_user_id: ids.user, sort: 'name' })).toEqual(['A', 'D']);
    expect(await listNames(client, { assigned_user_id: ids.otherUser })).toEqual([]);
    expect(await listNames(client, { content_id: ids.content })).toEqual(['B']);
    expect(await listNames(client, { contact_id: ids.contact })).toEqual(['C']);
  });

  it('all of them together, ANDed', async () => {
    const query = { source: 'website', status: 'won,lost', assigned_user_id: ids.user };
    expect(await listNames(client, query)).toEqual(['D']);
    expect(await listNames(client, { ...query, tag: 'eu' })).toEqual([]);
    expect(await listNames(client, { ...query, external_id: 'CRM-1', content_id: 'none' })).toEqual(['D']);
  });

  it('a list whose commas and spaces are encoded or not', async () => {
    for (const query of [
      'status=new%2Clost',
      'status=new,lost',
      'tag=vip%2C%C3%BCber%20cool',
      'tag=vip,%C3%BCber+cool',
    ]) {
      expect(await listNames(client, `/leads?${query}&sort=name`)).toEqual(['A', 'C']);
    }
  });

  it('exactly the given text: SQL in it is just text', async () => {
    for (const value of ["' or true --", '%', '_', '\\', "crm-1'"]) {
      expect(await listNames(client, { external_id: value })).toEqual([]);
      expect(await listNames(client, { tag: value })).toEqual([]);
    }
  });

  it.each([
    ['assigned_user_id', 'lead_01h455vb4pex5vsknk084sn02q'],
    ['assigned_user_id', 'user_1'],
    ['assigned_user_id', 'NONE'],
    ['content_id', 'user_01h455vb4pex5vsknk084sn02q'],
    ['contact_id', 'contact_81h455vb4pex5vsknk084sn02q'],
  ])('no id of another shape: %s=%s', async (name, value) => {
    const { body } = await client.get(leadsPath({ [name]: value })).expect(400);
    expect(Object.keys(body.errors)).toEqual([name]);
  });
});

describe('GET /leads?reached=', () => {
  /** The tag of this test's leads. */
  async function insertWith(tag: string, changes: [string, Parameters<typeof enterStatus>[2], string][]) {
    const { knex } = app.production;
    const first = changes.filter(([name], index) => changes.findIndex(([one]) => one === name) === index);
    const uuids = await insertLeads(
      knex,
      first.map(([name, status, at]) => ({
        name,
        tags: [tag],
        status,
        status_changed_at: new Date(at).toISOString(),
      })),
    );
    for (const change of changes) {
      const [name, status, at] = change;
      const uuid = uuids[first.findIndex(([one]) => one === name)] ?? '';
      await enterStatus(knex, uuid, status, at, first.includes(change));
    }
  }

  it('finds leads that entered the status or a later one, also when they have left it', async () => {
    await insertWith('path', [
      ['A', 'new', '2026-01-01'],
      ['B', 'new', '2026-01-01'],
      ['B', 'contacted', '2026-01-02'],
      ['B', 'new', '2026-01-03'],
      ['C', 'won', '2026-01-01'],
      ['D', 'new', '2026-01-01'],
      ['D', 'lost', '2026-01-02'],
      ['E', 'lost', '2026-01-01'],
    ]);
    const reached = async (status: string) =>
      (await listNames(client, { tag: 'path', reached: status, sort: 'name' })).join('');
    expect(await reached('new')).toBe('ABCD');
    expect(await reached('contacted')).toBe('BC');
    expect(await reached('qualified')).toBe('C');
    expect(await reached('won')).toBe('C');
    expect(await reached('lost')).toBe('DE');
  });

  it('in a window finds those that entered it then, ends included', async () => {
    await insertWith('window', [
      ['A', 'contacted', '2026-03-01T10:00:00Z'],
      ['B', 'contacted', '2026-02-01T10:00:00Z'],
      ['B', 'won', '2026-03-02T23:59:59.999Z'],
      ['C', 'contacted', '2026-02-28T23:59:59.999Z'],
      ['C', 'lost', '2026-03-01T10:00:00Z'],
    ]);
    const window = async (reached_from: string, reached_to: string, reached = 'contacted') =>
      (await listNames(client, { tag: 'window', sort: 'name', reached, reached_from, reached_to })).join('');
    expect(await window('2026-03-01', '2026-03-02')).toBe('AB');
    expect(await window('2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z')).toBe('A');
    expect(await window('2026-03-01T10:00:00.001Z', '2026-03-01')).toBe('');
    expect(await window('2026-01-01', '2026-02-28')).toBe('BC');
    expect(await window('2026-03-01', '2026-03-01', 'lost')).toBe('C');
    expect(await window('2026-01-01', '2026-03-01', 'won')).toBe('');
  });

  it('knows the statuses that a lead enters through the API', async () => {
    const lead = await createLead(client, { name: 'F', tags: ['api'] });
    const find = () => listNames(client, { tag: 'api', reached: 'qualified' });
    expect(await find()).toEqual([]);
    await client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    await client.patch(`/leads/${lead.id}`, { status: 'new' }).expect(200);
    expect(await find()).toEqual(['F']);
  });

  it.each(['reached_from', 'reached_to'])('must be there for %s', async (name) => {
    const { body } = await client.get(leadsPath({ [name]: '2026-01-01', status: 'won' })).expect(400);
    expect(body.errors).toEqual({ [name]: [expect.stringContaining('reached')] });
  });

  it('names the parameter, not the place in its list, when one of its values is wrong', async () => {
    const { body } = await client.get('/leads?status=new,sold').expect(400);
    expect(Object.keys(body.errors)).toEqual(['status']);
  });
});
