/** As the end of a range, a time without a fraction includes its whole second, whoever reads the range. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { uuidOf } from '../../support/webhooks.ts';

const SECOND = '2026-03-10T12:00:00';
const LAST = `${SECOND}.999Z`;
const NEXT = '2026-03-10T12:00:01.000Z';

let app: TestApp;
let client: TestClient;
const tag = randomUUID();

/** Two leads, created in the last millisecond of a second, and in the first one of the next second. */
beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const { knex } = app.production;
  for (const [external_id, at] of [
    ['last', LAST],
    ['next', NEXT],
  ]) {
    const lead = await createLead(client, { tags: [tag], external_id });
    const contact = await client.post('/contacts', { name: 'Ada', tags: [tag], external_id }).expect(201);
    await knex('leads')
      .where({ id: uuidOf(lead.id) })
      .update({ created_at: at });
    await knex('contacts')
      .where({ id: uuidOf(contact.body.data.id) })
      .update({ created_at: at });
    await knex('events')
      .where({ resource_id: uuidOf(lead.id) })
      .update({ occurred_at: at });
  }
});

afterAll(() => app.close());

const ends = [
  [`${SECOND}Z`, ['last']],
  ['2026-03-10T13:00:00+01:00', ['last']],
  [`${SECOND}.0Z`, []],
  [LAST, ['last']],
  ['2026-03-10T12:00:01Z', ['last', 'next']],
  ['2026-03-10', ['last', 'next']],
] as const;

describe.each(ends)('a range that ends at %s', (end, found) => {
  it.each(['leads', 'contacts'])('has these %s in an export', async (resource) => {
    const query = new URLSearchParams({ tag, created_from: SECOND.slice(0, 10), created_to: end });
    const { text } = await client
      .get(`/${resource}/export?${query}&sort=created_at&fields=external_id`)
      .set('Accept', 'application/x-ndjson')
      .expect(200);
    const rows = text.split('\n').filter(Boolean);
    expect(rows.map((row) => JSON.parse(row).external_id)).toEqual(found);
  });

  it.each(['leads', 'contacts'])('has these %s in the filter of a bulk job', async (resource) => {
    const filter = { tag: [tag], created_from: SECOND.slice(0, 10), created_to: end };
    const job = await createJob(client, { resource, filter, action: { delete: true }, dry_run: true });
    expect(job.rows_total).toBe(found.length);
  });

  it('has these events', async () => {
    const query = new URLSearchParams({ occurred_from: SECOND.slice(0, 10), occurred_to: end });
    const { body } = await client.get(`/events?${query}`).expect(200);
    const leads = body.data.map(({ data }: { data: { object: { external_id: string } } }) => data.object);
    expect(leads.map(({ external_id }: { external_id: string }) => external_id)).toEqual(found);
  });
});
