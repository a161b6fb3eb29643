import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { watchQueries } from '../../support/queries.ts';
import { content, expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const create = async (title: string) => {
  const { body } = await client.post('/content', { title, type: 'article' }).expect(201);
  return body.data;
};

describe('POST /content', () => {
  it('takes every field and makes a draft', async () => {
    const input = {
      title: 'Seven Ways to Count Leads',
      slug: 'every-field',
      type: 'ebook',
      summary: 'What a pipeline tells.',
      body: '# Seven ways',
      url: 'https://www.example.com/ebooks/seven',
      language: 'pt-BR',
      author_user_id: (await make(client, users)).id,
      tags: ['pipeline'],
      metadata: { campaign: 'autumn' },
    };
    const { body } = await client.post('/content', input).expect(201);
    const { id, created_at, updated_at } = body.data;
    const body_sha256 = 'a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e';
    const draft = { status: 'draft', body_sha256, published_at: null, archived_at: null };
    expect(body.data).toEqual({ ...input, ...draft, id, created_at, updated_at, version: 1 });
  });

  it.each([
    ['Seven Ways', 'seven-ways'],
    ['Müßige Grüße & Küsse', /^[a-z0-9]+(-[a-z0-9]+)*$/],
    ['Ça va?  100 %!', /^[a-z0-9]+(-[a-z0-9]+)*$/],
    ['a'.repeat(300), 'a'.repeat(200)],
    ['🎉🎉', /^content(-\d+)?$/],
    ['!!!', /^content(-\d+)?$/],
  ])('makes a slug of the title %j', async (title, slug) => {
    expect((await create(title)).slug).toEqual(typeof slug === 'string' ? slug : expect.stringMatching(slug));
  });

  it('counts on when the slug is taken', async () => {
    const slugs = [];
    for (let count = 0; count < 4; count += 1) slugs.push((await create('Counted On')).slug);
    expect(slugs).toEqual(['counted-on', 'counted-on-2', 'counted-on-3', 'counted-on-4']);
  });

  it('keeps a suffixed slug within 200 characters', async () => {
    const slugs = [(await create('b'.repeat(250))).slug, (await create('b'.repeat(250))).slug];
    expect(slugs).toEqual(['b'.repeat(200), expect.stringMatching(/^b+-2$/)]);
    expect(slugs[1].length).toBeLessThanOrEqual(200);
  });

  it('makes a slug for each of ten with the same title at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create('At Once')));
    const slugs = made.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(10);
    for (const slug of slugs) expect(slug).toMatch(/^at-once(-\d+)?$/);
  });

  it('finds the next free slug by one query, also after ten thousand of the same title', async () => {
    const { knex } = app.production;
    await knex.raw(`insert into content (id, title, slug, type)
      select new_uuid(), 'Ten Thousand', 'ten-thousand' || case when n > 1 then '-' || n else '' end, 'article'
      from generate_series(1, 10000) n`);
    const queries = watchQueries(app);
    expect((await create('Ten Thousand')).slug).toBe('ten-thousand-10001');
    expect(queries.sent.filter((text) => /slug = /.test(text))).toHaveLength(1);
    expect(queries.sent.filter((text) => text.startsWith('insert into "content"'))).toHaveLength(2);
    const made = await Promise.all([1, 2].map(() => create('Ten Thousand')));
    expect(made.map(({ slug }) => slug).sort()).toEqual(['ten-thousand-10002', 'ten-thousand-10003']);
  });

  it('takes a free slug if the numbers have gaps, never a taken one', async () => {
    const title = 'With Gaps';
    const made = [];
    for (let count = 0; count < 12; count += 1) made.push(await create(title));
    for (const index of [2, 3, 7]) await client.delete(`/content/${made[index].id}`).expect(204);
    await client.post('/content', { ...content.input(), slug: 'with-gaps-13' }).expect(201);
    const slugs = new Set();
    for (let count = 0; count < 12; count += 1) slugs.add((await create(title)).slug);
    expect(slugs.size).toBe(12);
    for (const slug of slugs) expect(slug).toMatch(/^with-gaps-\d+$/);
  });

  it.each([9, 10, 99, 100])(
    'keeps the limit of 200 characters when the number grows to %i + 1',
    async (taken) => {
      const title = `${'c'.repeat(190)}-${taken}-${'d'.repeat(100)}`;
      const slugOf = (n: number) =>
        n === 1 ? title.slice(0, 200) : `${title.slice(0, 199 - `${n}`.length)}-${n}`;
      const { knex } = app.production;
      for (let n = 1; n <= taken; n += 1) {
        await knex.raw("insert into content (id, title, slug, type) values (new_uuid(), ?, ?, 'article')", [
          title,
          slugOf(n),
        ]);
      }
      expect((await create(title)).slug).toBe(slugOf(taken + 1));
    },
  );

  it.each([
    ['slug', 'Seven Ways'],
    ['slug', 'a--b'],
    ['slug', ''],
    ['type', 'song'],
    ['summary', 's'.repeat(1001)],
    ['body', ''],
    ['url', 'ftp://example.com'],
    ['url', 'example.com'],
    ['language', 'english!'],
    ['author_user_id', 'user_01h455vb4pex5vsknk084sn02q'],
    ['author_user_id', 'x'],
    ['status', 'published'],
    ['published_at', '2026-01-01T00:00:00Z'],
  ])('rejects %s %j by name', async (field, value) => {
    await expectRefusal(client.post('/content', { ...content.input(), [field]: value }), { field });
  });
});
