import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { content, expectRefusal, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let author: string;
/** The day when B was published. */
let published: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  author = (await make(client, users)).id;
  const a = { title: 'A', slug: 'a', type: 'ebook', tags: ['eu'], language: 'en', author_user_id: author };
  await make(client, content, a);
  const b = await make(client, content, { title: 'B', slug: 'b', type: 'video', language: 'pt-BR' });
  const { body } = await client.post(`/content/${b.id}/publish`).expect(200);
  published = body.data.published_at.slice(0, 10);
  const c = await make(client, content, { title: 'C', slug: 'c', type: 'form', summary: 'Counting sheep' });
  await client.post(`/content/${c.id}/archive`).expect(200);
});

afterAll(() => app.close());

describe('GET /content', () => {
  it.each([
    ['status=draft', 'A'],
    ['status=published,archived', 'BC'],
    ['type=ebook,form', 'AC'],
    ['type=webinar', ''],
    ['tag=eu', 'A'],
    ['language=en', 'A'],
    ['language=PT-br,en', 'AB'],
    ['language=pt', ''],
    ['author_user_id=none', 'BC'],
    ['author_user_id=AUTHOR', 'A'],
    ['slug=b', 'B'],
    ['slug=B', ''],
    ['search=sheep', 'C'],
    ['published_from=DAY', 'B'],
    ['published_to=DAY', 'B'],
    ['published_to=2026-01-01', ''],
    ['status=draft&type=video', ''],
  ])('is filtered by %s', async (query, expected) => {
    const filled = query.replace('AUTHOR', author).replace('DAY', published);
    const { body } = await client.get(`/content?${filled}&sort=title`).expect(200);
    expect(body.data.map(({ title }: { title: string }) => title).join('')).toBe(expected);
    expect(body.meta.total).toBe(expected.length);
  });

  it.each(['漢', '𠀀', 'Я', 'x', '㎉'])(
    'is searched by a summary of 1,000 letters %s without a space, and by the title beside it',
    async (letter) => {
      const summary = letter.repeat(1_000);
      const { id } = await make(client, content, { title: `Endless ${letter}`, summary });
      for (const search of [letter.repeat(200), 'endless', `${letter} endless`]) {
        const { body } = await client.get(`/content?search=${encodeURIComponent(search)}`).expect(200);
        expect(body.data.map((found: { id: string }) => found.id)).toEqual([id]);
      }
      await client.patch(`/content/${id}`, { summary: `more ${[...summary].slice(5).join('')}` }).expect(200);
      await client.delete(`/content/${id}`).expect(204);
    },
  );

  it.each([
    ['status=gone', 'status'],
    ['type=song', 'type'],
    ['language=english!', 'language'],
    ['author_user_id=me', 'author_user_id'],
    ['published_from=soon', 'published_from'],
    ['sort=name', 'sort'],
  ])('rejects %s', async (query, field) => {
    const request = client.get(`/content?${query}`);
    await expectRefusal(request, { status: 400, field, code: 'invalid_parameter' });
  });
});
