import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

describe('GET /leads/{id}/events', () => {
  it('is one page of events', async () => {
    const client = await app.client();
    const { id } = await createLead(client);
    const { body } = await client.get(`/leads/${id}/events`).expect(200);
    expect(body.meta).toMatchObject({ current_page: 1, last_page: 1, next_cursor: null });
  });
});
