import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { insertLeads, leadsPath, listLeads } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

beforeEach(() => app.production.knex('leads').delete());

afterAll(() => app.close());

const insert = (count: number) =>
  insertLeads(
    app.production.knex,
    Array.from({ length: count }, () => ({})),
  );

describe('GET /leads', () => {
  it('lists the newest lead first, each as it reads alone', async () => {
    const older = await createLead(client, { company: 'Analytical Engines', tags: ['vip'] });
    await app.production.knex('leads').update({ created_at: '2026-01-01T00:00:00.000Z' });
    const newer = await createLead(client);
    const { leads } = await listLeads(client);
    expect(leads).toEqual([newer, { ...older, created_at: '2026-01-01T00:00:00.000Z' }]);
    const read = await client.get(`/leads/${older.id}`).expect(200);
    expect(leads[1]).toEqual(read.body.data);
  });

  it('orders leads of the same moment by id, the greatest first', async () => {
    const created_at = '2026-11-20T09:30:00.000Z';
    const rows = Array.from({ length: 30 }, () => ({ id: newUuid(), created_at }));
    const shuffled = rows.toSorted((a, b) => (a.id.slice(-12) < b.id.slice(-12) ? -1 : 1));
    await insertLeads(app.production.knex, shuffled);
    const { leads } = await listLeads(client, { per_page: 100 });
    const expected = rows.map(({ id }) => toId('lead', id)).toSorted();
    expect(leads.map(({ id }) => id)).toEqual(expected.toReversed());
  });

  it('answers an envelope of data and meta and nothing else', async () => {
    const { body } = await client
      .get('/leads')
      .expect(200)
      .expect('Content-Type', /^application\/json/);
    expect(body).toEqual({
      data: [],
      meta: { total: 0, per_page: 20, current_page: 1, last_page: 1, next_cursor: null, has_more: false },
    });
  });

  it.each([
    [0, 0, 1],
    [1, 1, 1],
    [20, 20, 1],
    [21, 20, 2],
  ])('counts exactly: of %i leads it shows %i and names page %i as the last', async (total, shown, last) => {
    await insert(total);
    const { leads, meta } = await listLeads(client);
    expect(leads).toHaveLength(shown);
    expect(meta).toMatchObject({ total, per_page: 20, current_page: 1, last_page: last });
    expect(meta.next_cursor === null).toBe(last === 1);
  });

  it('shows every lead on exactly one page', async () => {
    await insert(21);
    const pages = await Promise.all([1, 2, 3].map((page) => listLeads(client, { page, per_page: 10 })));
    expect(pages.map(({ leads }) => leads.length)).toEqual([10, 10, 1]);
    expect(new Set(pages.flatMap(({ leads }) => leads.map(({ id }) => id))).size).toBe(21);
    expect(pages.map(({ meta }) => [meta.current_page, meta.last_page, meta.total])).toEqual([
      [1, 3, 21],
      [2, 3, 21],
      [3, 3, 21],
    ]);
  });

  it.each([2, 7, 2_147_483_647])('answers page %i, past the end, with no leads', async (page) => {
    await insert(3);
    const { leads, meta } = await listLeads(client, { page, per_page: 100 });
    expect(leads).toEqual([]);
    expect(meta).toEqual({
      total: 3,
      per_page: 100,
      current_page: page,
      last_page: 1,
      next_cursor: null,
      has_more: false,
    });
  });

  it('shows a hundred leads a page at most and one at least', async () => {
    await insert(101);
    for (const per_page of [1, 100]) {
      const { leads, meta } = await listLeads(client, { per_page });
      expect(leads).toHaveLength(per_page);
      expect(meta).toMatchObject({ per_page, total: 101, last_page: Math.ceil(101 / per_page) });
    }
  });

  it('keeps the leads of the other environment to itself', async () => {
    await createLead(await app.client(['write'], 'sandbox'));
    expect((await listLeads(client)).meta.total).toBe(0);
  });
});

describe('GET /leads with parameters that are wrong', () => {
  it.each([
    ['per_page', '101'],
    ['per_page', '0'],
    ['per_page', '-1'],
    ['per_page', 'abc'],
    ['per_page', '2.5'],
    ['page', '0'],
    ['page', '-3'],
    ['page', '2147483648'],
    ['page', '99999999999999999999'],
    ['page', 'first'],
    ['search', '   '],
    ['email', 'nobody'],
    ['sort', 'email'],
    ['sort', '--name'],
    ['reached', 'started'],
    ['colour', 'red'],
    ['Status', 'new'],
    ['constructor', '1'],
    ['__proto__', '1'],
  ])('rejects %s=%s by name', async (name, value) => {
    const { body } = await client.get(`/leads?${name}=${encodeURIComponent(value)}`).expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', message: expect.stringContaining(name) });
    expect(Object.keys(body.errors)).toEqual([name]);
    expect(body.errors[name]).toEqual([expect.stringMatching(/^\S+ (must|is not)/)]);
  });

  it.each(['status', 'source'])('rejects an unknown %s, alone or beside a known one', async (name) => {
    const known = name === 'status' ? 'new' : 'api';
    for (const value of ['unknown', `${known},unknown`, `${known},`, known.toUpperCase()]) {
      const { body } = await client.get(leadsPath({ [name]: value })).expect(400);
      expect(body.code).toBe('invalid_parameter');
      expect(Object.keys(body.errors).join()).toMatch(new RegExp(`^${name}`));
    }
  });

  it.each([
    'page=1&page=2',
    'search=a&search=b',
    'sort=name&sort=-name',
    'created_to=2026-01-01&created_to=2026-01-02',
  ])('rejects a parameter that comes twice: %s', async (query) => {
    const { body } = await client.get(`/leads?${query}`).expect(400);
    expect(Object.keys(body.errors)).toEqual([query.split('=', 1)[0]]);
  });

  it('takes a list parameter that comes twice as one list', async () => {
    await insertLeads(app.production.knex, [{ status: 'new' }, { status: 'won' }, { status: 'contacted' }]);
    const { leads } = await listLeads(client, '/leads?status=new&status=won');
    expect(leads.map(({ status }) => status).toSorted()).toEqual(['new', 'won']);
  });

  it.each(['search', 'external_id', 'tag'])('rejects the character NUL in %s', async (name) => {
    const { body } = await client.get(`/leads?${name}=a%00b`).expect(400);
    expect(body.errors).toEqual({ [name]: [`${name} must not contain the character NUL (U+0000).`] });
  });

  it('names every invalid parameter, not only the first', async () => {
    const { body } = await client.get('/leads?page=0&per_page=101&email=x').expect(400);
    expect(Object.keys(body.errors).toSorted()).toEqual(['email', 'page', 'per_page']);
  });
});
