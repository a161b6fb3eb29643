import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { parseLinks } from '../../support/lists.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { disable, webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(() => app.production.knex('webhooks').delete());

afterAll(() => app.close());

describe('GET /webhooks', () => {
  it('is empty at first', async () => {
    const { body } = await client.get('/webhooks').expect(200);
    const meta = {
      total: 0,
      per_page: 20,
      current_page: 1,
      last_page: 1,
      next_cursor: null,
      has_more: false,
    };
    expect(body).toEqual({ data: [], meta });
  });

  it('lists the webhooks, newest first, without secrets', async () => {
    const made = [];
    for (const description of ['A', 'B', 'C']) made.push(await make(client, webhooks, { description }));
    const { body } = await client.get('/webhooks').expect(200);
    expect(body.data).toEqual(made.toReversed().map(({ secret: _secret, ...shown }) => shown));
    expect(body.meta.total).toBe(3);
  });

  it('can be sorted, and read page by page with a cursor', async () => {
    const made = [];
    for (const description of ['A', 'B', 'C']) made.push((await make(client, webhooks, { description })).id);
    const first = await client.get('/webhooks?sort=created_at&per_page=2').expect(200);
    const { next_cursor: cursor, last_page: pages } = first.body.meta;
    expect([first.body.data.length, pages]).toEqual([2, 2]);
    expect(parseLinks(first.headers.link ?? '').next).toContain('/v1/webhooks?');
    const rest = await client.get(`/webhooks?sort=created_at&per_page=2&cursor=${cursor}`).expect(200);
    const ids = [...first.body.data, ...rest.body.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(made);
  });

  it.each([
    ['status=enabled', 'A'],
    ['status=paused', 'B'],
    ['status=disabled', 'C'],
    ['status=paused,disabled', 'C,B'],
    ['created_to=2020-01-01', ''],
    ['updated_from=2020-01-01&status=enabled', 'A'],
  ])('filters by %s', async (query, expected) => {
    await make(client, webhooks, { description: 'A' });
    await make(client, webhooks, { description: 'B', status: 'paused' });
    const { id } = await make(client, webhooks, { description: 'C' });
    await disable(app.production.knex, id);
    const { body } = await client.get(`/webhooks?${query}`).expect(200);
    expect(body.data.map((item: { description: string }) => item.description).join()).toBe(expected);
  });

  it.each([
    ['status=off', 'status'],
    ['per_page=101', 'per_page'],
    ['sort=url', 'sort'],
    ['search=x', 'search'],
  ])('rejects %s by name', async (query, field) => {
    const code = 'invalid_parameter';
    await expectRefusal(client.get(`/webhooks?${query}`), { status: 400, field, code });
  });
});
