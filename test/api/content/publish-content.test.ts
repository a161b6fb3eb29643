import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { describeAction } from '../../support/content-actions.ts';
import { content, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describeAction('publish', 'published', ['archive'], () => app);

describe('POST /content/{id}/publish', () => {
  it('notes the moment, and forgets that it was archived', async () => {
    const { id, created_at } = await make(client, content);
    const archived = await client.post(`/content/${id}/archive`).expect(200);
    expect(archived.body.data).toMatchObject({ published_at: null, archived_at: expect.any(String) });
    const { body } = await client.post(`/content/${id}/publish`).expect(200);
    expect(body.data).toMatchObject({ status: 'published', archived_at: null, version: 3 });
    expect(Date.parse(body.data.published_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
  });
});
