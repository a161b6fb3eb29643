import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPhone } from '../../../src/spellings/phone.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { readJob, seed } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
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
    const { body, headers } = await client.post('/sandbox/seed').expect(202);
    expect(headers.location).toBe(`https://api.test/sandbox/v1/bulk-jobs/${body.data.id}`);
    expect(body.data).toMatchObject({ kind: 'seed', action: { seed: { seed: 42, leads: 1_000 } } });
    await runJobs(app.sandbox);
    const unconverted = await client.get('/leads?contact_id=none').expect(200);
    const contacts = 1000 - unconverted.body.meta.total;
    expect(contacts).toBeGreaterThan(100);
    const job = await readJob(client, body.data.id);
    expect(job).toMatchObject({
      status: 'completed',
      rows_total: 1_036,
      rows_done: 1_036,
      counts: { created: 1_036 + contacts },
    });
    const made = job.progress.map(({ resource, counts }) => [resource, counts.created]);
    expect(made.toSorted()).toEqual([
      ['contacts', contacts],
      ['content', 24],
      ['leads', 1_000],
      ['users', 12],
    ]);
    for (const [kind, rows] of made) {
      const listed = await client.get(`/${kind}`).expect(200);
      expect([kind, listed.body.meta.total]).toEqual([kind, rows]);
    }
  });

  it('makes the same data for the same seed, and other data for another', async () => {
    await seed(app, client, { seed: 7, leads: 300 });
    const first = await dump();
    await client.post('/sandbox/reset').expect(200);
    await seed(app, client, { seed: 7, leads: 300 });
    expect(await dump()).toBe(first);
    await client.post('/sandbox/reset').expect(200);
    await seed(app, client, { seed: 8, leads: 300 });
    expect(await dump()).not.toBe(first);
  });

  it('makes histories of the last 90 days that agree with the leads', async () => {
    await seed(app, client, { leads: 500 });
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
        or (contact_id is not null and sales_cycles_won = 0)`,
      { now: new Date().toISOString() },
    );
    expect(faults.rows).toEqual([]);
    const again = await client.get('/sales-cycles?sort=-opened_at').expect(200);
    expect(again.body.meta.total).toBeGreaterThan(500);
    expect(again.body.data.some(({ number }: { number: number }) => number === 2)).toBe(true);
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
    await seed(app, client, { leads: 200 });
    for (const kind of ['leads', 'contacts', 'content', 'users']) {
      const { body } = await client.get(`/${kind}?per_page=100`).expect(200);
      for (const { id, ...shown } of body.data) {
        const { created_at, updated_at, version, status_changed_at, published_at, archived_at, ...rest } =
          shown;
        const { contact_id, status, body_sha256, ...others } = rest;
        const fields = Object.fromEntries(
          Object.entries(others).filter(([field]) => !/^(first_|sales_cycle)/.test(field)),
        );
        const patch = kind === 'content' ? fields : { ...fields, ...(kind === 'leads' && { status }) };
        const patched = await client.patch(`/${kind}/${id}`, patch).expect(200);
        expect(patched.body.data.version).toBe(version);
      }
    }
  });

  it('gives phones that are valid numbers', async () => {
    await seed(app, client, {});
    const { body } = await client.get('/leads?per_page=100').expect(200);
    const phones = body.data.flatMap(({ phone }: { phone: string | null }) => phone ?? []);
    expect(phones.length).toBeGreaterThan(50);
    expect(phones.filter((phone: string) => readPhone(phone).value !== phone)).toEqual([]);
  });

  it('shows its progress, can be cancelled, and stays within its limit', async () => {
    const { body } = await client.post('/sandbox/seed', { leads: 5_000 }).expect(202);
    const { id } = body.data;
    await runOnce(app.sandbox);
    await runOnce(app.sandbox);
    expect(await readJob(client, id)).toMatchObject({
      status: 'running',
      rows_total: 5_060,
      rows_done: 1_060,
    });
    await client.post(`/bulk-jobs/${id}/cancel`).expect(200);
    await runJobs(app.sandbox);
    expect((await client.get('/leads').expect(200)).body.meta.total).toBe(1_000);
    await expectRefusal(client.post('/sandbox/seed', { seed: 5, leads: 100_001 }), { field: 'leads' });
  });

  it('is cancelled by a reset, after which the same seed can be used', async () => {
    const { body } = await client.post('/sandbox/seed', { leads: 2_000 }).expect(202);
    await runOnce(app.sandbox);
    await runOnce(app.sandbox);
    await client.post('/sandbox/reset').expect(200);
    await runJobs(app.sandbox);
    expect(await readJob(client, body.data.id)).toMatchObject({ status: 'cancelled' });
    expect((await client.get('/leads').expect(200)).body.meta.total).toBe(0);
    await seed(app, client, { leads: 10 });
  });

  it('goes on without users and content that somebody deletes meanwhile, and fails without any', async () => {
    const { body } = await client.post('/sandbox/seed', { leads: 1_500 }).expect(202);
    await runOnce(app.sandbox);
    await app.sandbox.knex('content').delete();
    await runJobs(app.sandbox);
    expect(await readJob(client, body.data.id)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'not_found',
        message: 'The users or the content of this seed were deleted while it was running.',
      },
    });
  });

  it('needs no scope to read for seeding, but for the progress', async () => {
    const writer = await app.client(['write'], 'sandbox');
    const { body } = await writer.post('/sandbox/seed', { leads: 1 }).expect(202);
    await writer.get(`/bulk-jobs/${body.data.id}`).expect(403);
  });

  it('adds to the existing data, seed by seed', async () => {
    await make(client, users);
    await seed(app, client, { seed: 1, leads: 10 });
    const { counts } = await seed(app, client, { seed: 2, leads: 0 });
    expect(counts.created).toBe(30);
    expect((await client.get('/leads').expect(200)).body.meta.total).toBe(10);
  });

  it('rejects a used seed, and writes nothing', async () => {
    await seed(app, client, { seed: 3, leads: 10 });
    const before = await dump();
    const again = client.post('/sandbox/seed', { seed: 3, leads: 20 });
    await expectRefusal(again, { field: 'seed', code: 'already_seeded' });
    expect(await dump()).toBe(before);
  });

  it('makes the data once when five ask at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.post('/sandbox/seed', { seed: 4, leads: 50 })),
    );
    await runJobs(app.sandbox);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([202, 409, 409, 409, 409]);
    expect((await client.get('/leads').expect(200)).body.meta.total).toBe(50);
  });

  it.each([
    ['seed', -1],
    ['seed', 1.5],
    ['seed', 'x'],
    ['seed', 2147483648],
    ['leads', 100_001],
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
