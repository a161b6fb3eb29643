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

describeAction('archive', 'archived', ['publish'], () => app);

describe('POST /content/{id}/archive', () => {
  it('notes the moment, and remembers when it was published', async () => {
    const { id } = await make(client, content);
    const published = await client.post(`/content/${id}/publish`).expect(200);
    const { body } = await client.post(`/content/${id}/archive`).expect(200);
    const { published_at } = published.body.data;
    expect(body.data).toMatchObject({ status: 'archived', published_at, archived_at: expect.any(String) });
  });
});
