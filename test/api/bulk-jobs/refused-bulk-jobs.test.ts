import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { runJobs } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

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
    [{ nonsense: 1 }, 'filter.nonsense', 'is not a parameter of this operation'],
    [{ status: 'old' }, 'filter.status', 'must be one of new, contacted, qualified, won, lost'],
    [{ status: [] }, 'filter.status', 'must not be empty'],
    [{ tag: '' }, 'filter.tag', 'must not be empty'],
    [{ status: null }, 'filter.status', 'must be a text, a number, true or false'],
    [{ status: ['new', null] }, 'filter.status', 'must be a text, a number, true or false'],
    [{ 'tag[]': ['vip'] }, 'filter.tag[]', 'is not a parameter of this operation'],
    [{ 'status[0]': 'new' }, 'filter.status[0]', 'is not a parameter of this operation'],
    [{ metadata: { a: { b: 1 } } }, 'filter.metadata.a', 'must be a text, a number, true or false'],
    [{ sort: 'name' }, 'filter.sort', 'is not a filter'],
    [{ page: 2 }, 'filter.page', 'is not a parameter of this operation'],
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
    expect(body.errors).toEqual({ [field]: [message] });
    expect(body.code).toBe('validation_failed');
  });

  it.each<[action: object, field: string, message: RegExp]>([
    [{}, 'action', /empty/],
    [{ update: { status: 'won' }, delete: true }, 'action', /at most 1 key/],
    [{ update: {} }, 'action.update', /empty/],
    [{ delete: false }, 'action.delete', /must be true/],
    [{ update: { status: 'old' } }, 'action.update.status', /one of/],
    [{ update: { nonsense: 1 } }, 'action.update.nonsense', /not a field/],
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
      .send({ resource: 'leads', filter: { tag: 'x' }, action })
      .expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(body.errors[field][0]).toMatch(message);
  });

  it('names both numbers if the filter matches another number of rows, and does nothing', async () => {
    const tag = randomUUID();
    await createLead(client, { tags: [tag] });
    const { body } = await client
      .post('/bulk-jobs')
      .send({ resource: 'leads', filter: { tag }, action: { delete: true }, expected_total: 2 })
      .expect(422);
    expect(body.errors).toEqual({ expected_total: ['is 2, but the filter matches 1 leads'] });
    await runJobs(app.production);
    expect(await totalOf(`tag=${tag}`)).toBe(1);
    expect(await app.production.knex('bulk_job_chunks').select()).toEqual([]);
  });

  it('needs the scopes to read and to write what it changes', async () => {
    const body = { resource: 'contacts', filter: { tag: 'x' }, action: { delete: true } };
    const cases: [scopes: string[], missing: string][] = [
      [['leads:read', 'leads:write'], 'contacts:read'],
      [['contacts:write'], 'contacts:read'],
      [['contacts:read', 'leads:write'], 'contacts:write'],
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
  });
});
