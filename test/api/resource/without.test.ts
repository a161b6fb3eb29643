/** Lists can leave out what has a tag or a status, and find what has no tag. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, content, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe.each([
  ['leads', leads],
  ['contacts', contacts],
  ['content', content],
] as [string, TestResource][])('%s without something', (_name, resource) => {
  const named = new Map<string, string>();

  beforeAll(async () => {
    const tagged = { none: [], vip: ['vip'], both: ['vip', 'eu'], eu: ['eu'] };
    for (const [name, tags] of Object.entries(tagged)) {
      named.set((await make(client, resource, { tags })).id, name);
    }
  });

  it.each([
    ['tag=none', ['none']],
    ['tag=none,eu', ['both', 'eu', 'none']],
    ['tag_not=vip', ['eu', 'none']],
    ['tag_not=vip,eu', ['none']],
    ['tag_not=none', ['both', 'eu', 'vip']],
    ['tag_not=none,eu', ['vip']],
    ['tag=eu&tag_not=vip', ['eu']],
    ['tag=none&tag_not=none', []],
  ])('%s', async (query, expected) => {
    const { body } = await client.get(`${resource.path}?${query}&per_page=100`).expect(200);
    const found = body.data.map(({ id }: { id: string }) => named.get(id));
    expect(found.toSorted()).toEqual(expected);
    expect(body.meta.total).toBe(expected.length);
  });
});

describe('leads without a status', () => {
  it.each([
    ['status_not=won,lost', 3],
    ['status_not=new', 4],
    ['status_not=new,contacted,qualified,won,lost', 0],
    ['status=won,new&status_not=new', 1],
  ])('%s', async (query, total) => {
    const tag = `status-${query.length}`;
    for (const status of ['new', 'contacted', 'qualified', 'won', 'lost']) {
      await make(client, leads, { status, tags: [tag] });
    }
    const { body } = await client.get(`/leads?${query}&tag=${tag}`).expect(200);
    expect(body.meta.total).toBe(total);
  });

  it('are changed by a bulk job with the same filter', async () => {
    const tags = ['bulk'];
    await make(client, leads, { status: 'lost', tags });
    await make(client, leads, { status: 'contacted', tags });
    const filter = { tag: tags, status_not: ['lost'] };
    const job = { resource: 'leads', filter, action: { update: { add_tags: ['open'] } } };
    await client.post('/bulk-jobs', { ...job, expected_total: 2 }).expect(422);
    const { body } = await client.post('/bulk-jobs', { ...job, expected_total: 1 }).expect(202);
    expect(body.data.filter).toEqual(filter);
  });
});
