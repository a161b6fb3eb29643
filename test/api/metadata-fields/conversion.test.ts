/** A declaration converts what is stored, and refuses or clears what does not fit. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { knex } from '../../../src/db/query.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { declare } from '../../support/metadata-fields.ts';
import { leads, make, read } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let number = 0;
let key = '';

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

beforeEach(() => {
  number += 1;
  key = `key ${number}`;
});

const leadWith = (value: unknown) => make(client, leads, { metadata: { [key]: value } });
const shown = async ({ id }: { id: string }) => (await read(client, leads, id)).metadata[key];
const post = (body: object) =>
  client.post('/metadata-fields', { resource: 'leads', key, ...body }).expect(201);

it.each([
  ['number', ['80', '-1.50', '0'], [80, -1.5, 0]],
  ['boolean', ['true', 'false'], [true, false]],
  ['date', ['2026-11-20'], ['2026-11-20']],
  ['text', ['80', 'a, b'], ['80', 'a, b']],
])('as a %s', async (type, texts, values) => {
  const made = await Promise.all(texts.map(leadWith));
  const field = await declare(app, client, { key, type });
  expect(field.status).toBe('active');
  expect(await Promise.all(made.map(shown))).toEqual(values);
});

it('changes the version, but sends no event', async () => {
  const lead = await leadWith('80');
  await declare(app, client, { key, type: 'number' });
  const { version, updated_at } = await read(client, leads, lead.id);
  expect([version, updated_at]).toEqual([lead.version + 1, lead.updated_at]);
  const { body } = await client.get(`/events?resource_id=${lead.id}`).expect(200);
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['lead.created']);
});

describe('a stored value that does not fit', () => {
  it.each([
    ['number', '12 apples'],
    ['number', '1234567890123456'],
    ['number', '1e5'],
    ['boolean', 'yes'],
    ['date', '20.11.2026'],
    ['date', '2026-02-30'],
    ['text', 'none'],
  ])('as a %s keeps the key a text: %s', async (type, text) => {
    const [good, bad] = [await leadWith('80'), await leadWith(text)];
    const { body } = await post({ type });
    await runJobs(app.production);
    const job = await readJob(client, body.data.job_id);
    expect([job.status, job.failure?.code]).toEqual(['failed', 'unfit_values']);
    const errors = await client.get(`/bulk-jobs/${job.id}/errors?per_page=100`).expect(200);
    const own = errors.body.data.filter(({ resource_id }: { resource_id: string }) => resource_id === bad.id);
    expect(own).toMatchObject([{ field: `metadata.${key}`, code: 'validation_failed' }]);
    await client.get(`/metadata-fields/${body.data.id}`).expect(404);
    expect([await shown(good), await shown(bad)]).toEqual(['80', text]);
    await client.patch(`/leads/${good.id}`, { metadata: { [key]: 'anything' } }).expect(200);
  });

  it('is cleared if the declaration says so, with an event', async () => {
    const [good, bad] = [await leadWith('80'), await leadWith('many')];
    const { body } = await post({ type: 'number', unfit: 'clear' });
    await runJobs(app.production);
    expect((await readJob(client, body.data.job_id)).counts.updated).toBe(1);
    expect([await shown(good), await shown(bad)]).toEqual([80, undefined]);
    const events = await client.get(`/events?resource_id=${bad.id}&event_types=lead.updated`).expect(200);
    expect(events.body.data[0].data.changes).toEqual({ metadata: { from: { [key]: 'many' }, to: {} } });
  });
});

describe('while the values are converted', () => {
  it('new ones must be texts that fit, and become typed', async () => {
    const old = await leadWith('1');
    const { body } = await post({ type: 'number', indexed: true });
    const fresh = await leadWith('2');
    expect(await shown(fresh)).toBe('2');
    const wrong = await client.post('/leads', { ...leads.input(), metadata: { [key]: 'two' } }).expect(422);
    expect(Object.keys(wrong.body.errors)).toEqual([`metadata.${key}`]);
    const range = await client.get(`/leads?metadata[${key}]=1..`).expect(400);
    expect(range.body.errors).toEqual({
      [`metadata.${key}`]: [`metadata.${key} can't use metadata.${key} yet: its values are being converted.`],
    });
    const same = await client.get(`/leads?metadata[${key}]=2`).expect(200);
    expect(same.body.meta.total).toBe(1);
    await runJobs(app.production);
    expect([await shown(old), await shown(fresh)]).toEqual([1, 2]);
    const { data } = (await client.get(`/metadata-fields/${body.data.id}`).expect(200)).body;
    expect(data.status).toBe('active');
    const found = await client.get(`/leads?metadata[${key}]=1..`).expect(200);
    expect(found.body.meta.total).toBe(2);
  });

  it('a cancelled job takes the declaration back', async () => {
    const { body } = await post({ type: 'number' });
    await runOnce(app.production);
    await client.post(`/bulk-jobs/${body.data.job_id}/cancel`).expect(200);
    await client.get(`/metadata-fields/${body.data.id}`).expect(404);
    await leadWith('free again');
  });

  it('a conversion that was cancelled after its check can be continued', async () => {
    const lead = await leadWith('7');
    const { body } = await post({ type: 'number' });
    // The step in which it waits for writers, and the check of the stored values.
    for (let step = 0; step < 2; step += 1) await runOnce(app.production);
    await client.post(`/bulk-jobs/${body.data.job_id}/cancel`).expect(200);
    expect(await shown(lead)).toBe('7');
    const path = `/metadata-fields/${body.data.id}`;
    const { data } = (await client.patch(path, { status: 'active' }).expect(200)).body;
    expect([data.status, data.job_id === body.data.job_id]).toEqual(['converting', false]);
    await runJobs(app.production);
    expect(await shown(lead)).toBe(7);
    expect((await client.get(path).expect(200)).body.data.status).toBe('active');
  });

  it('a transaction that began before the declaration is waited for', async () => {
    const field = await app.production.db.transaction(async (db) => {
      // As a writer does that has read the declarations.
      await db.run(knex.raw(`select * from declared_metadata('leads')`));
      const { body } = await post({ type: 'number' });
      const step = runOnce(app.production);
      const first = await Promise.race([step, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]);
      expect(first).toBe('waits');
      return { ...body.data, step };
    });
    await field.step;
    await runJobs(app.production);
    const { data } = (await client.get(`/metadata-fields/${field.id}`).expect(200)).body;
    expect(data.status).toBe('active');
  });
});

it('indexes a key later, and lets it go again', async () => {
  const lead = await leadWith('5');
  const { id } = await declare(app, client, { key, type: 'number' });
  const refused = await client.get(`/leads?metadata[${key}]=1..9`).expect(400);
  expect(refused.body.message).toContain('set indexed to true');
  const { body } = await client.patch(`/metadata-fields/${id}`, { indexed: true }).expect(200);
  expect([body.data.indexed, body.data.status]).toEqual([true, 'converting']);
  await runJobs(app.production);
  const found = await client.get(`/leads?metadata[${key}]=1..9`).expect(200);
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([lead.id]);
  await client.patch(`/metadata-fields/${id}`, { indexed: false }).expect(200);
  await client.get(`/leads?sort=metadata.${encodeURIComponent(key)}`).expect(400);
});
