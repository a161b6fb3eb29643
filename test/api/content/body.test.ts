/** Only single reads return the body of content. Lists and events have its digest. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { content, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

describe('The body of content', () => {
  it.each([
    ['ASCII', '# Seven ways'],
    ['more than one byte a character', 'Zähl, was 勝った 🎉\n'],
    ['130,000 characters', 'é'.repeat(130_000)],
    ['a backslash', 'C:\\temp \\000 \\x41'],
  ])('is returned by a read, with its digest: %s', async (_, body) => {
    const made = await make(client, content, { body });
    expect(made).toMatchObject({ body, body_sha256: digest(body) });
    const alone = await client.get(`/content/${made.id}`).expect(200);
    expect(alone.body.data).toEqual(made);
    for (const action of ['publish', 'archive', 'unpublish']) {
      const { body: answer } = await client.post(`/content/${made.id}/${action}`).expect(200);
      expect(answer.data).toMatchObject({ body, body_sha256: digest(body) });
    }
  });

  it.each(['', '&sort=title', '&search=unlisted', '&search=unlisted&sort=-updated_at', '&status=draft'])(
    'is left out of lists, which have its digest: %j',
    async (query) => {
      const made = await make(client, content, { title: 'Unlisted', body: 'What only one piece shows' });
      const list = await client.get(`/content?slug=${made.slug}${query}`).expect(200);
      const { body: _body, ...rest } = made;
      expect(list.body.data).toEqual([rest]);
    },
  );

  it('is null, like its digest, if there is none', async () => {
    expect(await make(client, content)).toMatchObject({ body: null, body_sha256: null });
  });

  it('appears in events as its digest, and so does its change', async () => {
    const { id } = await make(client, content, { body: 'one' });
    for (const body of ['two', 'two', null]) await client.patch(`/content/${id}`, { body }).expect(200);
    const events = await eventsOf(client, id);
    expect(events.map(({ data }) => data.changes)).toEqual([
      {},
      { body_sha256: { from: digest('one'), to: digest('two') } },
      { body_sha256: { from: digest('two'), to: null } },
    ]);
    expect(events.map(({ data }) => (data.object as Record<string, unknown>).body_sha256)).toEqual([
      digest('one'),
      digest('two'),
      null,
    ]);
    for (const { data } of events) expect(data.object).not.toHaveProperty('body');
  });

  it('has a read-only digest', async () => {
    const { id } = await make(client, content);
    const { body } = await client.patch(`/content/${id}`, { body_sha256: digest('x') }).expect(422);
    expect(body.errors).toHaveProperty('body_sha256');
  });
});
