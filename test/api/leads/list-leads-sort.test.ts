import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { insertLeads, listNames, walk } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

const fields = ['created_at', 'updated_at', 'status_changed_at', 'name', 'expected_close_on'] as const;
const sorts = fields.flatMap((field) => [field, `-${field}`]);
/** In dictionary order: accents and case only decide between otherwise equal words. */
const alphabet = [
  'Ada',
  'Ādam',
  'Adam B',
  'adamant',
  'Bob',
  'Ödön',
  'Oscar',
  'Ünal',
  'Zoë',
  'zoey',
  'Жанна',
  '李',
];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  // Each field has another order: the list rotated by a quarter.
  const at = (index: number, turn: number) =>
    new Date(Date.UTC(2026, 0, 1 + ((index + turn) % alphabet.length))).toISOString();
  await insertLeads(
    app.production.knex,
    alphabet.map((name, index) => ({
      name,
      tags: ['one of each'],
      created_at: at(index, 3),
      updated_at: at(index, 6),
      status_changed_at: at(index, 9),
    })),
  );
});

afterAll(() => app.close());

describe('GET /leads?sort=', () => {
  it.each([
    ['created_at', 3],
    ['updated_at', 6],
    ['status_changed_at', 9],
    ['name', 0],
  ])('%s orders by that field, and with - the other way round', async (field, turn) => {
    const start = alphabet.length - turn;
    const expected = [...alphabet.slice(start), ...alphabet.slice(0, start)];
    const query = { tag: 'one of each', per_page: 100 };
    expect(await listNames(client, { ...query, sort: field })).toEqual(expected);
    expect(await listNames(client, { ...query, sort: `-${field}` })).toEqual(expected.toReversed());
  });

  it('is -created_at by default', async () => {
    const byDefault = await listNames(client);
    expect(byDefault).toHaveLength(alphabet.length);
    expect(byDefault).toEqual(await listNames(client, { sort: '-created_at' }));
  });

  it.each(sorts)('%s breaks ties by id, so that pages and cursors show every lead once', async (sort) => {
    const same = '2026-06-01T00:00:00.000Z';
    const days = { expected_close_on: '2026-06-01' };
    const times = { ...days, created_at: same, updated_at: same, status_changed_at: same };
    const tag = `same ${sort}`;
    const uuids = await insertLeads(
      app.production.knex,
      Array.from({ length: 25 }, (_, index) => ({
        ...times,
        tags: [tag],
        name: index < 20 ? 'Same' : 'Ŝame',
      })),
    );
    const pages = await walk(client, { tag, sort, per_page: 4 });
    const walked = pages.flatMap(({ leads }) => leads.map(({ id }) => id));
    expect(pages).toHaveLength(7);
    expect(new Set(walked).size).toBe(uuids.length);
    if (!sort.endsWith('name')) {
      expect(walked).toEqual(sort.startsWith('-') ? walked.toSorted().toReversed() : walked.toSorted());
    }
    const paged = await Promise.all(
      pages.map((_, index) =>
        client.get(`/leads?tag=${encodeURIComponent(tag)}&sort=${sort}&per_page=4&page=${index + 1}`),
      ),
    );
    expect(paged.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual(walked);
  });
});
