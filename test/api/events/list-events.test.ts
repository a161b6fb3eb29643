import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

describe('GET /events', () => {
  it('gives a cursor for the present moment', async () => {
    const client = await app.client(['events:read']);
    const { body } = await client.get('/events?after=latest').expect(200);
    expect(body).toEqual({ data: [], meta: { next_cursor: expect.any(String), has_more: false } });
    const next = await client.get(`/events?after=${body.meta.next_cursor}`).expect(200);
    expect(next.body).toEqual(body);
  });
});
