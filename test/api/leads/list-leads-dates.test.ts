import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { insertLeads, leadsPath, listNames } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

/** Times around UTC midnights, each named by a letter. */
const moments = {
  a: '2026-03-09T23:59:59.999Z',
  b: '2026-03-10T00:00:00.000Z',
  c: '2026-03-10T12:00:00.500Z',
  d: '2026-03-10T23:59:59.999Z',
  e: '2026-03-11T00:00:00.000Z',
};

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  await insertLeads(
    app.production.knex,
    Object.entries(moments).map(([name, moment]) => ({
      name,
      created_at: new Date(moment).toISOString(),
      updated_at: new Date(moment).toISOString(),
    })),
  );
});

afterAll(() => app.close());

async function between(field: string, from: string | undefined, to: string | undefined): Promise<string> {
  const names = await listNames(client, {
    sort: 'name',
    ...(from !== undefined && { [`${field}_from`]: from }),
    ...(to !== undefined && { [`${field}_to`]: to }),
  });
  return names.join('');
}

describe.each(['created', 'updated'])('GET /leads?%s_from=…&…_to=…', (field) => {
  it.each([
    ['2026-03-10', '2026-03-10', 'bcd'],
    ['2026-03-10', undefined, 'bcde'],
    [undefined, '2026-03-10', 'abcd'],
    ['2026-03-09', '2026-03-11', 'abcde'],
    ['2026-03-12', undefined, ''],
    [undefined, '2026-03-08', ''],
    ['0001-01-01', '9999-12-31', 'abcde'],
  ])('takes a bare date as that whole UTC day: %s to %s', async (from, to, expected) => {
    expect(await between(field, from, to)).toBe(expected);
  });

  it.each([
    ['2026-03-10T00:00:00.000Z', '2026-03-11T00:00:00.000Z', 'bcde'],
    ['2026-03-10T12:00:00.500Z', '2026-03-10T12:00:00.500Z', 'c'],
    ['2026-03-10T00:00:00.001Z', '2026-03-10T23:59:59.998Z', 'c'],
    ['2026-03-10T00:00:00Z', '2026-03-10T12:00:00.000Z', 'b'],
    ['2026-03-10T12:00:00.5Z', '2026-03-10', 'cd'],
  ])('includes both ends: %s to %s', async (from, to, expected) => {
    expect(await between(field, from, to)).toBe(expected);
  });

  it.each([
    ['2026-03-10T00:00:00Z', '2026-03-10T12:00:00Z', 'bc'],
    ['2026-03-10T12:00:00Z', '2026-03-10T12:00:00Z', 'c'],
    ['2026-03-10T12:00:00.001Z', '2026-03-10T12:00:00Z', 'c'],
    ['2026-03-10T23:59:59.999Z', '2026-03-11T01:00:00+01:00', 'de'],
    ['2026-03-10T00:00:00Z', '2026-03-10T12:00:00.0Z', 'b'],
  ])('includes the whole second of an end without a fraction: %s to %s', async (from, to, expected) => {
    expect(await between(field, from, to)).toBe(expected);
  });

  it.each([
    ['2026-03-10T00:00:00+0000', '2026-03-10T13:00:00.500+0100', 'bc'],
    ['2026-03-10T00:00:00-00', '2026-03-10T12:00:00.500+00', 'bc'],
    ['2026-03-09T18:30:00-0530', '2026-03-10T00:00:00.000Z', 'b'],
    ['2026-03-10 01:00:00+01:00', '2026-03-10 12:00:00.500000+00:00', 'bc'],
    ['2026-03-10T00:00Z', '2026-03-10T12:00Z', 'bc'],
  ])('reads what other languages print: %s to %s', async (from, to, expected) => {
    expect(await between(field, from, to)).toBe(expected);
  });

  it.each([
    ['2026-03-10T01:00:00+01:00', '2026-03-10T23:59:59.999-00:00', 'bcd'],
    ['2026-03-09T18:30:00-05:30', '2026-03-10T00:00:00Z', 'b'],
    ['2026-03-10T23:59:00+23:59', '2026-03-09T00:01:00-23:59', 'b'],
    ['2026-03-10t00:00:00z', '2026-03-10t12:00:00.500z', 'bc'],
    ['0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', 'abcde'],
  ])('knows offsets: %s to %s', async (from, to, expected) => {
    expect(await between(field, from, to)).toBe(expected);
  });

  it.each([
    ['2026-03-10T23:59:59.998001Z', '2026-03-10T23:59:59.999999999Z', 'd'],
    ['2026-03-10T12:00:00.5000001Z', '2026-03-10T23:59:59.9999Z', 'd'],
    ['2026-03-10T12:00:00.499999999Z', '2026-03-10T12:00:00.500000001Z', 'c'],
    ['2026-03-10T12:00:00.5001Z', '2026-03-10T12:00:00.5001Z', ''],
  ])('is exact below a millisecond too: %s to %s', async (from, to, expected) => {
    expect(await between(field, from, to)).toBe(expected);
  });

  it.each([
    ['2026-03-11', '2026-03-10'],
    ['2026-03-10T12:00:00.001Z', '2026-03-10T12:00:00.000Z'],
    ['2026-03-11T00:00:00Z', '2026-03-10'],
    ['2026-03-10T12:00:00Z', '2026-03-10T12:00:00+01:00'],
  ])('rejects a range that ends before it begins: %s to %s', async (from, to) => {
    const query = { [`${field}_from`]: from, [`${field}_to`]: to };
    const { body } = await client.get(leadsPath(query)).expect(400);
    expect(body.errors).toEqual({ [`${field}_from`]: [`${field}_from must not be later than ${field}_to.`] });
  });

  it.each([
    'yesterday',
    'now',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '0000-01-01',
    '2026-3-1',
    '20260310',
    '2026-03-10T24:00:00Z',
    '2026-03-10T12:00:60Z',
    '2026-03-10T12:00:00',
    '2026-03-10T12:00',
    '2026-03-10T12Z',
    '2026-03-10  12:00:00Z',
    '2026-03-10T12:00:00+1',
    '2026-03-10T12:00:00+010',
    '2026-03-10T12:00:00+0160',
    '2026-03-10T12:00:00+24:00',
    '2026-03-10T12:00:00.1234567890Z',
    '+002026-03-10',
    '1773100800',
  ])('rejects %s, which is neither an instant nor a date', async (text) => {
    const { body } = await client.get(leadsPath({ [`${field}_to`]: text })).expect(400);
    expect(body.errors).toEqual({ [`${field}_to`]: [expect.stringContaining('2026-11-20T09:30:00.000Z')] });
  });

  it('takes a colon as it is, and a plus only encoded, since a bare one is a space in a query', async () => {
    const names = await client.get(`/leads?${field}_to=2026-03-10T00:59:59.999%2B01:00`).expect(200);
    expect(names.body.meta.total).toBe(1);
    const { body } = await client.get(`/leads?${field}_to=2026-03-10T00:59:59.999+01:00`).expect(400);
    expect(body.errors).toHaveProperty([`${field}_to`]);
  });
});

describe('GET /leads by the time of the last change', () => {
  it('finds a lead by the very times that it shows', async () => {
    const lead = await createLead(client, { name: 'shown' });
    const query = { created_from: lead.created_at, created_to: lead.created_at, email: lead.email };
    expect(await listNames(client, query)).toEqual(['shown']);
    const { body } = await client.patch(`/leads/${lead.id}`, { company: 'Acme' }).expect(200);
    const { updated_at } = body.data;
    expect(await listNames(client, { updated_from: updated_at, updated_to: updated_at })).toEqual(['shown']);
  });
});
