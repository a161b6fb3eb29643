import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldJobs } from '../../../src/jobs/old-jobs-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob, doJob, readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { runJobs } from '../../support/jobs.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('what a bulk job keeps', () => {
  it('are no texts of its change once it has ended', async () => {
    const tag = randomUUID();
    const lead = await createLead(client, { tags: [tag], phone: '+4915112345678' });
    const update = {
      company: 'Ada Lovelace & Sons',
      metadata: { friend: 'grace@example.com', plan: null },
      status: 'lost',
      lost_reason: 'Ada is away',
      source_detail: null,
      phone: null,
      add_tags: ['gone'],
    };
    const job = await createJob(client, { resource: 'leads', filter: { tag: [tag] }, action: { update } });
    expect(job).toMatchObject({ action: { update }, redacted: [] });
    await runJobs(app.production);
    expect(await readJob(client, job.id)).toMatchObject({
      action: {
        update: { ...update, company: null, metadata: { friend: null, plan: null }, lost_reason: null },
      },
      redacted: ['action.update.company', 'action.update.metadata.friend', 'action.update.lost_reason'],
    });
    const { body } = await client.get(`/leads/${lead.id}`).expect(200);
    expect(body.data).toMatchObject({ company: update.company, metadata: { friend: 'grace@example.com' } });
  });

  it('are no texts of a change that was cancelled', async () => {
    const filter = { search: randomUUID() };
    const { id } = await createJob(client, {
      resource: 'contacts',
      filter,
      action: { update: { title: 'Friend of Ada' } },
    });
    const { body } = await client.post(`/bulk-jobs/${id}/cancel`).expect(200);
    expect(body.data).toMatchObject({
      filter: { search: null },
      action: { update: { title: null } },
      redacted: ['filter.search', 'action.update.title'],
    });
  });

  it('is nothing about an erased person: a waiting job that would write the address fails', async () => {
    const person = await createLead(client);
    const tag = randomUUID();
    const other = await createLead(client, { tags: [tag] });
    const metadata = { referrer: `Via ${person.email.toUpperCase()}` };
    const action = { update: { metadata, status: 'contacted', phone: null } };
    const { id } = await createJob(client, { resource: 'leads', filter: { tag: [tag] }, action });
    const unrelated = await createJob(client, {
      resource: 'leads',
      filter: { tag: [tag] },
      action: { update: { company: 'X' } },
    });
    await client.delete(`/leads/${person.id}`).expect(204);
    await runJobs(app.production);
    expect(await readJob(client, id)).toMatchObject({
      status: 'failed',
      failure: { code: 'person_erased', message: expect.stringContaining('was erased') },
      action: { update: { metadata: null, status: null, phone: null } },
      redacted: ['action.update.metadata', 'action.update.status'],
      rows_done: 0,
    });
    expect(await readJob(client, unrelated.id)).toMatchObject({ status: 'completed' });
    const { rows } = await app.production.knex.raw('select to_json(jobs)::text as text from jobs');
    for (const { text } of rows) expect(text.toLowerCase()).not.toContain(person.email.toLowerCase());
    expect((await client.get(`/leads/${other.id}`).expect(200)).body.data.metadata).toEqual({});
  });

  it('is deleted after 90 days, with its errors', async () => {
    const tag = randomUUID();
    await createLead(client, { tags: [tag] });
    const old = await doJob(app, client, {
      resource: 'leads',
      filter: { tag: [tag] },
      action: { update: { lost_reason: 'No' } },
    });
    const waiting = await createJob(client, {
      resource: 'leads',
      filter: { tag: [tag] },
      action: { delete: true },
    });
    const { knex, db } = app.production;
    const ids = [uuidOf(old.id), uuidOf(waiting.id)];
    await knex('jobs')
      .whereIn('id', ids)
      .update({ created_at: knex.raw(`now() - interval '91 days'`) });
    expect(await knex('job_errors').where({ job_id: ids[0] })).toHaveLength(1);
    expect(await deleteOldJobs(db, new Date(), 10)).toBe(1);
    await client.get(`/bulk-jobs/${old.id}`).expect(404);
    expect(await knex('job_errors').where({ job_id: ids[0] })).toEqual([]);
    await client.get(`/bulk-jobs/${waiting.id}`).expect(200);
  });
});
