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

describeAction('unpublish', 'draft', ['publish'], () => app);

describe('POST /content/{id}/unpublish', () => {
  it('makes a draft without dates of what was published and archived', async () => {
    const { id } = await make(client, content);
    for (const action of ['publish', 'archive']) await client.post(`/content/${id}/${action}`).expect(200);
    const { body } = await client.post(`/content/${id}/unpublish`).expect(200);
    expect(body.data).toMatchObject({ status: 'draft', published_at: null, archived_at: null, version: 4 });
  });
});
