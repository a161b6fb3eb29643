import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { runJobs } from '../../support/jobs.ts';

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
  it.each<[filter: object, field: string, message: string]>([
    [{ nonsense: 1 }, 'filter.nonsense', 'is not a filter'],
    [{ has_open_leads: true }, 'filter.has_open_leads', 'is not a filter'],
    [{ status: ['old'] }, 'filter.status.0', 'must be one of new, contacted, qualified, won, lost'],
    [{ status: 'new' }, 'filter.status', 'must be a list'],
    [{ status: [] }, 'filter.status', 'must not be empty'],
    [{ tag: [''] }, 'filter.tag.0', 'must not be empty'],
    [{ tag: ['a,b'] }, 'filter.tag.0', 'must not contain a comma'],
    [{ status: null }, 'filter.status', 'must be a list'],
    [{ 'tag[]': ['vip'] }, 'filter.tag[]', 'is the spelling of a URL: in JSON, send "tag": […]'],
    [{ 'status[0]': 'new' }, 'filter.status[0]', 'is the spelling of a URL: in JSON, send "status": […]'],
    [
      { 'metadata[plan]': 'gold' },
      'filter.metadata[plan]',
      'is the spelling of a URL: in JSON, send "metadata": {"plan": …}',
    ],
    [{ metadata: { a: { b: 1 } } }, 'filter.metadata.a', 'must be a string'],
    [{ metadata: { a: 1 } }, 'filter.metadata.a', 'must be a string'],
    [{ created_from: 1780000000 }, 'filter.created_from', 'must be a string'],
    [
      { created_from: 'yesterday' },
      'filter.created_from',
      'must be an RFC 3339 instant such as 2026-11-20T09:30:00.000Z, or a date such as 2026-11-20',
    ],
    [
      { phone: 'none' },
      'filter.phone',
      'must be a phone number with its country code, such as +4915112345678',
    ],
    [{ value_from: 5, currency: 'EUR' }, 'filter.value_from', 'must be a string'],
    [{ sort: 'name' }, 'filter.sort', 'is not a filter'],
    [{ page: 2 }, 'filter.page', 'is not a filter'],
    [
      { created_from: '2027-01-02', created_to: '2027-01-01' },
      'filter.created_from',
      'must not be later than created_to',
    ],
    [{ reached_from: '2027-01-02' }, 'filter.reached_from', 'can only be sent together with reached'],
    [{}, 'expected_total', 'is required with an empty filter, since the job would change all leads'],
  ])('rejects the filter %j', async (filter, field, message) => {
    const { body } = await client
      .post('/bulk-jobs')
      .send({ resource: 'leads', filter, action: addTag('a') })
      .expect(422);
    expect(body.errors).toEqual({ [field]: [`${field} ${message}.`] });
    expect(body.code).toBe('validation_failed');
  });

  it.each<[fields: object, field: string, message: string]>([
    [{}, 'resource', 'is required'],
    [{ resource: null }, 'resource', 'must be leads or contacts'],
    [{ resource: 'users' }, 'resource', 'must be leads or contacts'],
    [{ resource: 'leads', filter: null }, 'filter', 'must be an object'],
    [{ resource: 'leads', filter: 'tag=vip' }, 'filter', 'must be an object'],
    [{ resource: 'leads', sort: 'name' }, 'sort', 'is unknown or read-only'],
  ])('rejects the job %j', async (fields, field, message) => {
    const { body } = await client
      .post('/bulk-jobs')
      .send({ filter: { tag: ['x'] }, action: addTag('a'), ...fields })
      .expect(422);
    expect(body.errors).toEqual({ [field]: [`${field} ${message}.`] });
  });

  it.each<[action: object, field: string, message: RegExp]>([
    [{}, 'action', /empty/],
    [{ update: { status: 'won' }, delete: true }, 'action', /at most 1 key/],
    [{ update: {} }, 'action.update', /empty/],
    [{ delete: false }, 'action.delete', /must be true/],
    [{ update: { status: 'old' } }, 'action.update.status', /one of/],
    [{ update: { nonsense: 1 } }, 'action.update.nonsense', /unknown or read-only/],
    [{ update: { email: 'a@example.com' } }, 'action.update.email', /belongs to one person/],
    [{ update: { external_id: 'a' } }, 'action.update.external_id', /belongs to one person/],
    [{ update: { name: null } }, 'action.update.name', /string/],
    [
      { update: { assigned_user_id: 'user_01m7w4n5e0eymtkc82hvhg0xb9' } },
      'action.update.assigned_user_id',
      /active user/,
    ],
  ])('rejects the action %j', async (action, field, message) => {
    const { body } = await client
      .post('/bulk-jobs')
      .send({ resource: 'leads', filter: { tag: ['x'] }, action })
      .expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(body.errors[field][0]).toMatch(message);
  });

  it('names both numbers if the filter matches another number of rows, and does nothing', async () => {
    const tag = randomUUID();
    await createLead(client, { tags: [tag] });
    const { body } = await client
      .post('/bulk-jobs')
      .send({ resource: 'leads', filter: { tag: [tag] }, action: { delete: true }, expected_total: 2 })
      .expect(422);
    expect(body.errors).toEqual({ expected_total: ['expected_total is 2, but the filter matches 1 leads.'] });
    await runJobs(app.production);
    expect(await totalOf(`tag=${tag}`)).toBe(1);
    expect(await app.production.knex('bulk_job_chunks').select()).toEqual([]);
  });

  it('needs the scopes to read and to write what it changes', async () => {
    const body = { resource: 'contacts', filter: { tag: ['x'] }, action: { delete: true } };
    const cases: [scopes: string[], missing: string][] = [
      [['leads:read', 'leads:write'], 'contacts:read'],
      [['leads:read', 'leads:write', 'contacts:read'], 'contacts:write'],
      [['contacts:write'], 'contacts:read'],
    ];
    for (const [scopes, missing] of cases) {
      const limited = await app.client(scopes);
      const answer = await limited.post('/bulk-jobs').send(body).expect(403);
      expect(answer.body.required_scope).toBe(missing);
    }
    const { body: job } = await (await app.client(['contacts:read', 'contacts:write']))
      .post('/bulk-jobs')
      .send(body)
      .expect(202);
    await (await app.client(['leads:read'])).get(`/bulk-jobs/${job.data.id}`).expect(403);
    const none = await (await app.client(['events:read'])).get('/bulk-jobs').expect(403);
    expect(none.body.message).toBe(
      'This operation needs the scope leads:read, or contacts:read, or content:read, or users:read. ' +
        'Your token or API key has events:read.',
    );
  });
});
