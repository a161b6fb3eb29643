import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput, uniqueEmail } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const inputs: Record<string, () => object> = {
  leads: () => leadInput(),
  contacts: () => ({ name: 'Ada' }),
  content: () => ({ title: 'A guide', type: 'article' }),
};

async function make(resource: string, tags: string[]): Promise<string> {
  const { body } = await client.post(`/${resource}`, { ...inputs[resource]?.(), tags }).expect(201);
  return `/${resource}/${body.data.id}`;
}

async function tagsOf(query: string) {
  const { body } = await client.get(`/tags?${query}`).expect(200);
  return body.data.map(({ tag, count }: { tag: string; count: number }) => `${tag} ${count}`);
}

describe.each(Object.keys(inputs))('GET /tags?resource=%s', (resource) => {
  it('counts each tag exactly, by the very next request', async () => {
    const first = await make(resource, ['vip', 'b2b']);
    await make(resource, ['vip']);
    expect(await tagsOf(`resource=${resource}`)).toEqual(['vip 2', 'b2b 1']);
    await client.patch(first, { add_tags: ['late'], remove_tags: ['vip'] }).expect(200);
    expect(await tagsOf(`resource=${resource}&sort=tag`)).toEqual(['b2b 1', 'late 1', 'vip 1']);
    await client.delete(first).expect(204);
    expect(await tagsOf(`resource=${resource}`)).toEqual(['vip 1']);
  });
});

describe('GET /tags', () => {
  it('is paged, filtered by prefix, and links its pages', async () => {
    for (const tag of ['News a', 'news b', 'other']) await createLead(client, { tags: [tag] });
    expect(await tagsOf('resource=leads&prefix=NEWS&sort=tag')).toEqual(['News a 1', 'news b 1']);
    const second = await client
      .get('/tags?resource=leads&prefix=news&sort=-tag&per_page=1&page=2')
      .expect(200);
    expect(second.body).toEqual({
      data: [{ tag: 'News a', count: 1 }],
      meta: { total: 2, per_page: 1, current_page: 2, last_page: 2, next_cursor: null, has_more: false },
    });
    const first = await client.get('/tags?resource=leads&prefix=news&per_page=1').expect(200);
    const { next_cursor } = first.body.meta;
    const next = await client
      .get(`/tags?resource=leads&prefix=news&per_page=1&cursor=${next_cursor}`)
      .expect(200);
    expect([first, next].map(({ body }) => body.data[0].tag).sort()).toEqual(['News a', 'news b']);
    expect(second.headers.link).toContain('page=1>; rel="prev"');
    expect((await client.get('/tags?resource=leads&page=999').expect(200)).body.data).toEqual([]);
  });

  it('takes a prefix as text, not as a pattern', async () => {
    await createLead(client, { tags: ['100%'] });
    expect(await tagsOf('resource=leads&prefix=100%25')).toEqual(['100% 1']);
    expect(await tagsOf('resource=leads&prefix=1_0')).toEqual([]);
  });

  it('needs the scope of the resource, and its name', async () => {
    const reader = await app.client(['leads:read']);
    await reader.get('/tags?resource=leads').expect(200);
    const { body } = await reader.get('/tags?resource=contacts').expect(403);
    expect(body.required_scope).toBe('contacts:read');
    await client.get('/tags?resource=users').expect(400);
  });
});

describe.each(Object.keys(inputs))('add_tags and remove_tags of /%s', (resource) => {
  it('change some tags and leave the others', async () => {
    const path = await make(resource, ['a', 'b']);
    const { body } = await client
      .patch(path, { add_tags: ['c', 'a', 'c'], remove_tags: ['b', 'x'] })
      .expect(200);
    expect(body.data.tags).toEqual(['a', 'c']);
    const same = await client.patch(path, { add_tags: ['a'] }).expect(200);
    expect(same.body.data.version).toBe(2);
  });

  it('are refused together with tags, and beyond twenty tags', async () => {
    const path = await make(resource, ['a']);
    const both = await client.patch(path, { tags: [], add_tags: ['b'] }).expect(422);
    expect(both.body.errors).toEqual({
      tags: ['tags cannot be combined with add_tags and remove_tags; send either.'],
    });
    const many = Array.from({ length: 20 }, (_, index) => `t${index}`);
    const { body } = await client.patch(path, { add_tags: many }).expect(422);
    expect(body.errors).toEqual({
      add_tags: ['With these, there would be more than 20 tags. Remove some first.'],
    });
    await client.patch(path, { add_tags: many, remove_tags: ['a'] }).expect(200);
  });
});

it.each(['leads', 'contacts'])('add_tags and remove_tags work for %s that a batch creates', async (path) => {
  const items = [
    { add_tags: ['a', 'b', 'a'], remove_tags: ['b'] },
    { remove_tags: ['a'] },
    { tags: ['a'], add_tags: ['b'] },
    { tags: null },
  ].map((tags) => ({ name: 'Ada', email: uniqueEmail(), ...tags }));
  const { body } = await client.post(`/${path}/batch/upsert`, { match: 'email', items }).expect(200);
  const kind = path.slice(0, -1);
  expect(body.data.map(({ status }: { status: string }) => status)).toEqual([
    'created',
    'created',
    'failed',
    'created',
  ]);
  expect(body.data.map((result: Record<string, { tags: string[] }>) => result[kind]?.tags)).toEqual([
    ['a'],
    [],
    undefined,
    [],
  ]);
  expect(body.data[2].errors).toEqual({
    tags: ['tags cannot be combined with add_tags and remove_tags; send either.'],
  });
});

it('add_tags works in a batch, for each lead by itself', async () => {
  const [first, second] = [await createLead(client, { tags: ['a'] }), await createLead(client)];
  const items = [first, second].map(({ id }) => ({ id, patch: { add_tags: ['found'] } }));
  const { body } = await client.post('/leads/batch/update', { items });
  expect(body.data.map(({ lead }: { lead: { tags: string[] } }) => lead.tags)).toEqual([
    ['a', 'found'],
    ['found'],
  ]);
});
