import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, errorsOf, importFile, ndjson, upload } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('delete from content; delete from users'));

async function listOf(path: string) {
  const { body } = await client.get(`/${path}?sort=created_at`).expect(200);
  return body.data;
}

async function eventsOf(id: string): Promise<string[]> {
  const { body } = await client.get(`/events?resource_id=${id}&per_page=100`).expect(200);
  return body.data.map(({ type }: { type: string }) => type);
}

describe('an import of users', () => {
  const file = csv('name,email,active', 'Grace Hopper,grace@example.com,', 'Alan Turing,alan@example.com,no');

  it('creates them as requests would', async () => {
    const { counts } = await importFile(app, client, file, 'resource=users');
    expect(counts).toMatchObject({ created: 2, failed: 0 });
    const [first, second] = (await listOf('users')).sort((a: { name: string }, b: { name: string }) =>
      a.name < b.name ? 1 : -1,
    );
    expect(first).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.com', active: true });
    expect(second).toMatchObject({ name: 'Alan Turing', active: false });
    expect(await eventsOf(first.id)).toEqual(['user.created']);
  });

  it('finds them by their external id, which may give them another email', async () => {
    const before = csv('name,email,employee', 'Grace Hopper,grace@example.com,hr-1');
    const after = csv('name,email,employee', 'Grace Hopper,hopper@example.com,hr-1');
    const query = 'resource=users&match=external_id&on_duplicate=update';
    const changes = { mapping: { employee: 'external_id' } };
    expect((await importFile(app, client, before, query, changes)).counts).toMatchObject({ created: 1 });
    expect((await importFile(app, client, after, query, changes)).counts).toMatchObject({ updated: 1 });
    expect(await listOf('users')).toMatchObject([{ email: 'hopper@example.com', external_id: 'hr-1' }]);
  });

  it('finds them by email', async () => {
    await importFile(app, client, file, 'resource=users');
    const changed = csv(
      'name,email',
      'Rear Admiral Hopper,GRACE@example.com',
      'Alan Turing,alan@example.com',
    );
    const rejected = await importFile(app, client, changed, 'resource=users');
    expect(await errorsOf(client, rejected.id)).toMatchObject([
      { row: 2, code: 'duplicate_email' },
      { row: 3, code: 'duplicate_email' },
    ]);
    for (const mode of ['ignore', 'merge']) {
      const { counts } = await importFile(app, client, changed, `resource=users&on_duplicate=${mode}`);
      expect(counts).toMatchObject({ unchanged: 2 });
    }
    const { counts } = await importFile(app, client, changed, 'resource=users&on_duplicate=update');
    expect(counts).toMatchObject({ updated: 1, unchanged: 1 });
    const { body } = await client.get('/users?email=grace@example.com').expect(200);
    expect(body.data).toMatchObject([{ name: 'Rear Admiral Hopper', version: 2 }]);
    expect(await eventsOf(body.data[0].id)).toEqual(['user.created', 'user.updated']);
  });

  it.each(['ignore', 'merge', 'update'])(
    'creates new ones with %s, too, from the parts of their names',
    async (mode) => {
      const parts = csv('First name,Last name,Email', 'Grace,Hopper,grace@example.com');
      const { counts } = await importFile(app, client, parts, `resource=users&on_duplicate=${mode}`);
      expect(counts).toMatchObject({ created: 1, failed: 0 });
      expect(await listOf('users')).toMatchObject([{ name: 'Grace Hopper', active: true }]);
    },
  );

  it('reports the errors of a request', async () => {
    const wrong = csv('name,email,active', ',grace@example.com,', 'Alan,alan,perhaps');
    const { id } = await importFile(app, client, wrong, 'resource=users');
    expect((await errorsOf(client, id)).map(({ row, field }) => [row, field])).toEqual(
      expect.arrayContaining([
        [2, 'name'],
        [3, 'email'],
      ]),
    );
  });
});

describe('an import of content', () => {
  const file = csv(
    'title,type,slug,status,tags,url',
    'Seven Ways to Count Leads,eBook,,Published,a;b,https://example.com/seven',
    'About us,article,about,,,',
    'Old news,article,old,archived,,',
  );

  it('creates and publishes it as requests would', async () => {
    const { counts, match } = await importFile(app, client, file, 'resource=content');
    expect(counts).toMatchObject({ created: 3, failed: 0 });
    expect(match).toBe('slug');
    const all: Record<string, unknown>[] = await listOf('content');
    const bySlug = Object.fromEntries(all.map((each) => [each.slug, each]));
    expect(bySlug['seven-ways-to-count-leads']).toMatchObject({
      type: 'ebook',
      status: 'published',
      published_at: expect.any(String),
      tags: ['a', 'b'],
    });
    expect(bySlug.about).toMatchObject({ status: 'draft', published_at: null });
    expect(bySlug.old).toMatchObject({ status: 'archived', archived_at: expect.any(String) });
    expect(await eventsOf(String(bySlug['seven-ways-to-count-leads']?.id))).toEqual([
      'content.created',
      'content.updated',
      'content.published',
    ]);
    expect(await eventsOf(String(bySlug.about?.id))).toEqual(['content.created']);
    expect(await eventsOf(String(bySlug.old?.id))).toEqual([
      'content.created',
      'content.updated',
      'content.archived',
    ]);
  });

  it('finds it by slug, or by the slug of its title', async () => {
    await importFile(app, client, file, 'resource=content');
    const rejected = await importFile(app, client, file, 'resource=content');
    expect(rejected.counts).toMatchObject({ created: 0, failed: 3 });
    expect((await errorsOf(client, rejected.id))[0]).toMatchObject({ code: 'duplicate_slug' });
    for (const mode of ['ignore', 'merge', 'update']) {
      const { counts } = await importFile(app, client, file, `resource=content&on_duplicate=${mode}`);
      expect(counts).toMatchObject({ unchanged: 3, failed: 0 });
    }
    const changed = csv('title,slug,type,status,summary', 'About,about,article,published,Who we are');
    const merged = await importFile(app, client, changed, 'resource=content&on_duplicate=merge');
    expect(merged.counts).toMatchObject({ updated: 1 });
    const { body } = await client.get('/content?slug=about').expect(200);
    expect(body.data).toMatchObject([{ title: 'About us', status: 'draft', summary: 'Who we are' }]);
    await importFile(app, client, changed, 'resource=content&on_duplicate=update');
    const after = await client.get('/content?slug=about').expect(200);
    expect(after.body.data).toMatchObject([{ title: 'About', status: 'published' }]);
    expect((await eventsOf(body.data[0].id)).at(-1)).toBe('content.published');
  });

  it.each(['ignore', 'merge', 'update'])('creates new content with %s, too', async (mode) => {
    const { counts } = await importFile(app, client, file, `resource=content&on_duplicate=${mode}`);
    expect(counts).toMatchObject({ created: 3, failed: 0 });
  });

  it('takes what a list shows', async () => {
    await importFile(app, client, file, 'resource=content');
    const before = await listOf('content');
    await app.production.knex.raw('delete from content');
    const { counts } = await importFile(app, client, ndjson(...before), 'resource=content');
    expect(counts).toMatchObject({ created: 3, failed: 0 });
    const after = await listOf('content');
    const fields = ({ title, slug, type, status, tags, url, metadata }: Record<string, unknown>) => ({
      ...{ title, slug, type, status, tags, url, metadata },
    });
    expect(after.map(fields)).toEqual(expect.arrayContaining(before.map(fields)));
  });

  it('reports wrong statuses, types and slugs', async () => {
    const wrong = csv('title,type,slug,status', 'A,ebook,a,live', 'B,scroll,b,', 'C,ebook,C C,', ',ebook,d,');
    const { id } = await importFile(app, client, wrong, 'resource=content&start=true');
    expect((await errorsOf(client, id)).map(({ row, field }) => [row, field])).toEqual([
      [2, 'status'],
      [3, 'type'],
      [4, 'slug'],
      [5, 'title'],
    ]);
  });

  it.each([
    ['content', 'content:write', 'match=external_id'],
    ['users', 'users:write', 'match=slug'],
  ])('needs the scope of %s, and its own field to match by', async (resource, scope, query) => {
    const limited = await app.client([scope]);
    const { body } = await upload(limited, file, `resource=${resource}&${query}`).expect(422);
    expect(Object.keys(body.errors)).toEqual(['match']);
    const other = await app.client(['leads:write', 'contacts:write']);
    const refused = await upload(other, file, `resource=${resource}`).expect(403);
    expect(refused.body.required_scope).toBe(scope);
  });
});
