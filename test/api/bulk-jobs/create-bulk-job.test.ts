import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob, doJob, readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { insertLeads } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const addTag = (tag: string) => ({ update: { add_tags: [tag] } });

async function totalOf(query: string): Promise<number> {
  const { body } = await client.get(`/leads?${query}`).expect(200);
  return body.meta.total;
}

describe('POST /bulk-jobs', () => {
  it('changes what the filter matches, with an event each, as the client and the user it acts for', async () => {
    const user = await createUser(client);
    const detail = randomUUID();
    const leads = [
      await createLead(client, { source_detail: detail }),
      await createLead(client, { source_detail: detail, tags: ['x'] }),
    ];
    const other = await createLead(client);
    const acting = client.with({ 'Acting-User': user, 'X-Request-Id': 'request-of-job' });
    const answer = await acting.post('/bulk-jobs').send({
      resource: 'leads',
      filter: { source_detail: detail },
      action: { update: { status: 'contacted', remove_tags: ['x'], assigned_user_id: user } },
      expected_total: 2,
    });
    expect(answer.status).toBe(202);
    const { data } = answer.body;
    expect(answer.headers.location).toMatch(new RegExp(`/v1/bulk-jobs/${data.id}$`));
    expect(data).toMatchObject({
      kind: 'update',
      status: 'queued',
      resources: ['leads'],
      filter: { source_detail: null },
      redacted: ['filter.source_detail'],
      action: { update: { status: 'contacted', remove_tags: ['x'], assigned_user_id: user } },
      rows_total: 2,
      rows_done: 0,
      actor: { type: 'client', user_id: user },
      started_at: null,
    });
    await runJobs(app.production);
    const job = await readJob(client, data.id);
    const counts = { created: 0, updated: 2, deleted: 0, unchanged: 0, missing: 0, failed: 0 };
    expect(job).toMatchObject({
      status: 'completed',
      rows_done: 2,
      counts,
      progress: [{ resource: 'leads', rows_total: 2, rows_done: 2, counts }],
      failures: [],
      failure: null,
    });
    for (const { id } of leads) {
      const { body } = await client.get(`/leads/${id}`).expect(200);
      expect(body.data).toMatchObject({ status: 'contacted', tags: [], assigned_user_id: user, version: 2 });
      const history = await client.get(`/leads/${id}/events`).expect(200);
      const changed = history.body.data.filter(({ type }: { type: string }) => type === 'lead.updated');
      expect(changed).toHaveLength(1);
      expect(changed[0]).toMatchObject({
        request_id: 'request-of-job',
        actor: { type: 'client', user_id: user },
      });
      const changes = await client.get(`/leads/${id}/status-changes`).expect(200);
      expect(changes.body.meta.total).toBe(2);
    }
    expect((await client.get(`/leads/${other.id}`).expect(200)).body.data).toEqual(other);
  });

  it('ends although it changes what its filter is about, and changes no lead that is created later', async () => {
    const tag = randomUUID();
    await insertLeads(
      app.production.knex,
      Array.from({ length: 1_200 }, () => ({ tags: [tag] })),
    );
    const { id, rows_total } = await createJob(client, {
      resource: 'leads',
      filter: { tag: [tag], status: ['new'] },
      action: { update: { status: 'contacted' } },
    });
    expect(rows_total).toBe(1_200);
    await runOnce(app.production);
    expect(await readJob(client, id)).toMatchObject({ status: 'running', rows_done: 500, finished_at: null });
    const later = await createLead(client, { tags: [tag] });
    await runJobs(app.production);
    expect(await readJob(client, id)).toMatchObject({ status: 'completed', rows_done: 1_200 });
    expect(await totalOf(`tag=${tag}&status=contacted`)).toBe(1_200);
    expect((await client.get(`/leads/${later.id}`).expect(200)).body.data.status).toBe('new');
  });

  it('deletes what the filter matches, and clears the contacts of leads', async () => {
    const company = randomUUID();
    const make = async () =>
      (await client.post('/contacts', { name: 'Ada', email: uniqueEmail(), company }).expect(201)).body.data;
    const [contact, gone] = [await make(), await make()];
    const lead = await createLead(client);
    await client.post(`/leads/${lead.id}/convert`, { contact_id: contact.id }).expect(201);
    const { id } = await createJob(client, {
      resource: 'contacts',
      filter: { search: company },
      action: { delete: true },
    });
    await client.delete(`/contacts/${gone.id}`).expect(204);
    await runJobs(app.production);
    expect(await readJob(client, id)).toMatchObject({
      kind: 'delete',
      resources: ['contacts'],
      filter: { search: null },
      action: { delete: true },
      counts: { deleted: 1, missing: 1 },
    });
    await client.get(`/contacts/${contact.id}`).expect(404);
    expect((await client.get(`/leads/${lead.id}`).expect(200)).body.data.contact_id).toBeNull();
  });

  it('changes rows that no longer match, and says which stayed as they were and which failed', async () => {
    const tag = randomUUID();
    const full = Array.from({ length: 19 }, (_, index) => `tag ${index}`);
    const leads = [
      await createLead(client, { tags: [tag] }),
      await createLead(client, { tags: [tag, 'done'] }),
      await createLead(client, { tags: [tag, ...full] }),
    ];
    const { id } = await createJob(client, {
      resource: 'leads',
      filter: { tag: [tag] },
      action: addTag('done'),
    });
    await client.patch(`/leads/${leads[0]?.id}`, { tags: [] }).expect(200);
    await runJobs(app.production);
    expect(await readJob(client, id)).toMatchObject({
      status: 'completed',
      rows_done: 3,
      counts: { updated: 1, unchanged: 1, failed: 1 },
      failures: [{ code: 'validation_failed', field: 'add_tags', rows: 1 }],
    });
    expect((await client.get(`/leads/${leads[0]?.id}`).expect(200)).body.data.tags).toEqual(['done']);
    const errors = await client.get(`/bulk-jobs/${id}/errors`).expect(200);
    expect(errors.body.data).toEqual([
      {
        row: 3,
        resource: 'leads',
        resource_id: leads[2]?.id,
        field: 'add_tags',
        code: 'validation_failed',
        message: 'With these, there would be more than 20 tags. Remove some first.',
      },
    ]);
  });

  it('changes nothing in a dry run, but counts and keeps the errors', async () => {
    const tag = randomUUID();
    const lead = await createLead(client, { tags: [tag] });
    await createLead(client, { tags: [tag, ...Array.from({ length: 19 }, (_, index) => `tag ${index}`)] });
    const job = await doJob(app, client, {
      resource: 'leads',
      filter: { tag: [tag] },
      action: addTag('y'),
      dry_run: true,
    });
    expect(job).toMatchObject({ dry_run: true, status: 'completed', counts: { updated: 1, failed: 1 } });
    expect((await client.get(`/leads/${lead.id}`).expect(200)).body.data).toEqual(lead);
    expect((await client.get(`/leads/${lead.id}/events`).expect(200)).body.meta.total).toBe(1);
    const deletion = { resource: 'leads', filter: { tag: [tag] }, action: { delete: true }, dry_run: true };
    expect(await doJob(app, client, deletion)).toMatchObject({ counts: { deleted: 2 } });
    expect(await totalOf(`tag=${tag}`)).toBe(2);
  });

  it('leaves no job of a request with Dry-Run, but says how many rows it would have', async () => {
    const tag = randomUUID();
    await createLead(client, { tags: [tag] });
    const { body, headers } = await client
      .with({ 'Dry-Run': 'true' })
      .post('/bulk-jobs')
      .send({ resource: 'leads', filter: { tag: [tag] }, action: addTag('z') })
      .expect(202);
    expect(headers['dry-run']).toBe('true');
    expect(body.data.rows_total).toBe(1);
    await client.get(`/bulk-jobs/${body.data.id}`).expect(404);
    await runJobs(app.production);
    expect(await totalOf('tag=z')).toBe(0);
  });

  it('completes a job without rows', async () => {
    const job = await doJob(app, client, {
      resource: 'contacts',
      filter: { tag: [randomUUID()] },
      action: { update: { company: null } },
      expected_total: 0,
    });
    expect(job).toMatchObject({ status: 'completed', rows_total: 0, finished_at: expect.any(String) });
  });

  it('shows its filter as it was sent, without what may be personal', async () => {
    const tag = randomUUID();
    const lead = await createLead(client, {
      tags: [tag],
      metadata: { plan: 'gold' },
      value: { amount: '10.00', currency: 'EUR' },
    });
    const filter = {
      tag: [tag],
      status: ['new', 'won'],
      metadata: { plan: 'gold' },
      currency: 'EUR',
      value_from: '5',
      email: lead.email.toUpperCase(),
      created_from: '2020-01-01',
    };
    const job = await createJob(client, { resource: 'leads', filter, action: addTag('found') });
    expect(job.rows_total).toBe(1);
    expect(job.filter).toEqual({ ...filter, metadata: null, email: null });
    expect(job.redacted).toEqual(['filter.metadata', 'filter.email']);
  });
});
