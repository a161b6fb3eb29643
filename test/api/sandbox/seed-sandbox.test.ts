import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPhone } from '../../../src/spellings/phone.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  // The data ends with the last whole day, so the day must not change during the test.
  vi.useFakeTimers({ toFake: ['Date'] });
  app = await startTestApp({ sandbox: true });
  client = await app.client(['read', 'write'], 'sandbox');
});

afterAll(async () => {
  vi.useRealTimers();
  await app.close();
});

beforeEach(() => client.post('/sandbox/reset').expect(200));

type Row = Record<string, unknown>;

/** All rows without their ids, in the order of the texts that the seed makes unique. */
async function dump(): Promise<string> {
  const { knex } = app.sandbox;
  const rows = async (table: string, order: string) => {
    const { rows: found }: { rows: Row[] } = await knex.raw(`select * from ${table} order by ${order}`);
    return found.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id' && !name.endsWith('_id'))),
    );
  };
  return JSON.stringify([
    await rows('users', 'email'),
    await rows('contacts', 'email'),
    await rows('content', 'slug'),
    await rows('leads', 'email'),
  ]);
}

describe('POST /sandbox/seed', () => {
  it('creates a thousand leads and the data around them by default', async () => {
    const { body, headers } = await client.post('/sandbox/seed').expect(201);
    const unconverted = await client.get('/leads?contact_id=none').expect(200);
    const contacts = 1000 - unconverted.body.meta.total;
    expect(contacts).toBeGreaterThan(100);
    expect(body.data).toEqual({ seed: 42, users: 12, contacts, content: 24, leads: 1000 });
    expect(headers.location).toBe('https://api.test/sandbox/v1/leads');
    for (const kind of ['users', 'contacts', 'content', 'leads']) {
      const listed = await client.get(`/${kind}`).expect(200);
      expect([kind, listed.body.meta.total]).toEqual([kind, body.data[kind]]);
    }
  });

  it('makes the same data for the same seed, and other data for another', async () => {
    await client.post('/sandbox/seed', { seed: 7, leads: 300 }).expect(201);
    const first = await dump();
    await client.post('/sandbox/reset').expect(200);
    await client.post('/sandbox/seed', { seed: 7, leads: 300 }).expect(201);
    expect(await dump()).toBe(first);
    await client.post('/sandbox/reset').expect(200);
    await client.post('/sandbox/seed', { seed: 8, leads: 300 }).expect(201);
    expect(await dump()).not.toBe(first);
  });

  it('makes histories of the last 90 days that agree with the leads', async () => {
    await client.post('/sandbox/seed', { leads: 500 }).expect(201);
    const { knex } = app.sandbox;
    const faults = await knex.raw(
      `
      select leads.id from leads left join lateral (
        select count(*)::int as count, min(changed_at) as first, max(changed_at) as last,
          (array_agg(to_status order by changed_at desc))[1] as status
        from lead_status_changes where lead_id = leads.id
      ) history on true
      where history.status is distinct from leads.status or history.last <> status_changed_at
        or history.first <> created_at or history.count <> version
        or created_at < :now::timestamptz - interval '90 days' or updated_at > :now
        or (contact_id is not null and leads.status <> 'won')`,
      { now: new Date().toISOString() },
    );
    expect(faults.rows).toEqual([]);
    const { body } = await client.get('/leads?status=won&per_page=100').expect(200);
    const converted = body.data.find((lead: Row) => lead.contact_id !== null);
    const contact = await client.get(`/contacts/${converted.contact_id}`).expect(200);
    expect(contact.body.data.email).toBe(converted.email);
    for (const status of ['new', 'contacted', 'qualified', 'won', 'lost']) {
      const listed = await client.get(`/leads?status=${status}`).expect(200);
      expect(listed.body.meta.total).toBeGreaterThan(10);
    }
  });

  it('makes data that the API would take from a client', async () => {
    await client.post('/sandbox/seed', { leads: 200 }).expect(201);
    for (const kind of ['leads', 'contacts', 'content', 'users']) {
      const { body } = await client.get(`/${kind}?per_page=100`).expect(200);
      for (const { id, ...shown } of body.data) {
        const { created_at, updated_at, version, status_changed_at, published_at, archived_at, ...rest } =
          shown;
        const { contact_id, status, body_sha256, ...others } = rest;
        const fields = Object.fromEntries(
          Object.entries(others).filter(([field]) => !field.startsWith('first_')),
        );
        const patch = kind === 'content' ? fields : { ...fields, ...(kind === 'leads' && { status }) };
        const patched = await client.patch(`/${kind}/${id}`, patch).expect(200);
        expect(patched.body.data.version).toBe(version);
      }
    }
  });

  it('gives phones that are valid numbers', async () => {
    await client.post('/sandbox/seed', {}).expect(201);
    const { body } = await client.get('/leads?per_page=100').expect(200);
    const phones = body.data.flatMap(({ phone }: { phone: string | null }) => phone ?? []);
    expect(phones.length).toBeGreaterThan(50);
    expect(phones.filter((phone: string) => readPhone(phone).value !== phone)).toEqual([]);
  });

  it('adds up to 5,000 leads within the time of a request', async () => {
    const { body } = await client.post('/sandbox/seed', { leads: 5000 }).expect(201);
    expect(body.data).toMatchObject({ leads: 5000, users: 20, content: 40 });
    await expectRefusal(client.post('/sandbox/seed', { seed: 5, leads: 5001 }), { field: 'leads' });
  });

  it('adds to the existing data, seed by seed', async () => {
    await make(client, users);
    await client.post('/sandbox/seed', { seed: 1, leads: 10 }).expect(201);
    const { body } = await client.post('/sandbox/seed', { seed: 2, leads: 0 }).expect(201);
    expect(body.data).toMatchObject({ leads: 0, contacts: 0 });
    expect((await client.get('/leads').expect(200)).body.meta.total).toBe(10);
  });

  it('rejects a used seed, and writes nothing', async () => {
    await client.post('/sandbox/seed', { seed: 3, leads: 10 }).expect(201);
    const before = await dump();
    const again = client.post('/sandbox/seed', { seed: 3, leads: 20 });
    await expectRefusal(again, { field: 'seed', code: 'already_seeded' });
    expect(await dump()).toBe(before);
  });

  it('makes the data once when five ask at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.post('/sandbox/seed', { seed: 4, leads: 50 })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 422, 422, 422, 422]);
    expect((await client.get('/leads').expect(200)).body.meta.total).toBe(50);
  });

  it.each([
    ['seed', -1],
    ['seed', 1.5],
    ['seed', 'x'],
    ['seed', 2147483648],
    ['leads', 5001],
    ['leads', -1],
    ['leads', null],
    ['users', 5],
  ])('rejects %s %j by name', async (field, value) => {
    await expectRefusal(client.post('/sandbox/seed', { [field]: value }), { field });
  });

  it('is not there in production', async () => {
    const production = await app.client();
    const { body } = await production.post('/sandbox/seed', {}).expect(404);
    expect(body.code).toBe('not_found');
    expect((await production.get('/leads').expect(200)).body.meta.total).toBe(0);
  });
});
