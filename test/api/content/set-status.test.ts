/** Publishing, unpublishing and archiving content. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { content, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

type Action = 'publish' | 'unpublish' | 'archive';

/** New content after these actions. */
async function prepare(...actions: Action[]) {
  const { id } = await make(client, content);
  const act = async (action: Action) => (await client.post(`/content/${id}/${action}`).expect(200)).body.data;
  for (const action of actions) await act(action);
  return { path: `/content/${id}`, act };
}

describe('POST /content/{id}/publish', () => {
  it('changes the status and its times, and returns the next version', async () => {
    const { path, act } = await prepare();
    const archived = await act('archive');
    expect(archived).toMatchObject({ published_at: null, archived_at: expect.any(String) });
    const { body, headers } = await client.post(`${path}/publish`).expect(200);
    expect(body.data).toMatchObject({ status: 'published', archived_at: null, version: 3 });
    expect(Date.parse(body.data.published_at)).toBeGreaterThanOrEqual(Date.parse(archived.archived_at));
    expect(headers.etag).toBe('"3"');
  });

  it('returns the same version and times when it is repeated', async () => {
    const { act } = await prepare();
    const first = await act('publish');
    for (let time = 0; time < 3; time += 1) expect(await act('publish')).toEqual(first);
  });

  it('increments the version once for ten concurrent requests', async () => {
    const { act } = await prepare();
    for (const data of await Promise.all(Array.from({ length: 10 }, () => act('publish')))) {
      expect(data).toMatchObject({ status: 'published', version: 2 });
    }
  });

  it('changes only the version named by If-Match', async () => {
    const { path } = await prepare();
    const late = await client.with({ 'If-Match': '"2"' }).post(`${path}/publish`).expect(412);
    expect(late.body.code).toBe('version_mismatch');
    await client.with({ 'If-Match': '"1"' }).post(`${path}/publish`).expect(200);
  });

  it('is done once per Idempotency-Key', async () => {
    const { path, act } = await prepare();
    const once = client.with({ 'Idempotency-Key': randomUUID() });
    const first = await once.post(`${path}/publish`).expect(200);
    await act('archive');
    const second = await once.post(`${path}/publish`).expect(200).expect('Idempotency-Replayed', 'true');
    expect(second.body).toEqual(first.body);
    expect((await client.get(path).expect(200)).body.data.status).toBe('archived');
  });
});

describe('POST /content/{id}/archive', () => {
  it('keeps the time of publication', async () => {
    const { act } = await prepare();
    const { published_at } = await act('publish');
    const archived = { status: 'archived', published_at, archived_at: expect.any(String), version: 3 };
    expect(await act('archive')).toMatchObject(archived);
  });
});

describe('POST /content/{id}/unpublish', () => {
  it('makes archived content a draft without times', async () => {
    const { act } = await prepare('publish', 'archive');
    const draft = { status: 'draft', published_at: null, archived_at: null, version: 4 };
    expect(await act('unpublish')).toMatchObject(draft);
  });
});
