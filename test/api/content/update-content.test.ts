import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { content, expectRefusal, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('PATCH /content/{id}', () => {
  it('leaves the slug alone when the title changes', async () => {
    const { id, slug } = await make(client, content);
    const { body } = await client.patch(`/content/${id}`, { title: 'Another Title' }).expect(200);
    expect(body.data.slug).toBe(slug);
  });

  it.each(['publish', 'archive'])('works after %s too', async (action) => {
    const { id } = await make(client, content);
    const before = await client.post(`/content/${id}/${action}`).expect(200);
    const { body } = await client.patch(`/content/${id}`, { summary: 'New' }).expect(200);
    const { updated_at } = body.data;
    expect(body.data).toEqual({ ...before.body.data, summary: 'New', version: 3, updated_at });
  });

  it.each(['summary', 'body', 'url', 'language', 'author_user_id'])('clears %s with null', async (field) => {
    const texts = { summary: 's', body: 'b', url: 'https://example.com', language: 'en' };
    const { id } = await make(client, content, texts);
    const { body } = await client.patch(`/content/${id}`, { [field]: null }).expect(200);
    expect(body.data[field]).toBeNull();
  });

  it.each([
    ['slug', null],
    ['slug', 'Not A Slug'],
    ['type', null],
    ['type', 'song'],
    ['status', 'published'],
    ['archived_at', null],
    ['author_user_id', 'user_01h455vb4pex5vsknk084sn02q'],
    ['url', 'javascript:alert(1)'],
  ])('rejects %s %j by name', async (field, value) => {
    const { id } = await make(client, content);
    await expectRefusal(client.patch(`/content/${id}`, { [field]: value }), { field });
  });
});
