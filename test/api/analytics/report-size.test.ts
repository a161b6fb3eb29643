/** A report has at most 4 MiB, however long the addresses in its rows are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const LIMIT = 4 * 1024 * 1024;
/** An address of about 7 KiB. */
const tags = Array.from({ length: 16 }, (_, n) => encodeURIComponent(`${n}`.padStart(50, '勝'))).join(',');
const years = 'from=2024-01-01&to=2026-12-31';

describe('a report with long addresses', () => {
  it('is refused if it would have too many rows', async () => {
    const path = `/analytics/timeseries?${years}&group_by=status`;
    await client.get(path).expect(200);
    const { body } = await client.get(`${path}&tag=${tags}`).expect(400);
    expect(body.errors.interval[0]).toContain('more than 4 MiB');
    await client.get(`${path}&tag=${tags}&interval=month`).expect(200);
  });

  it.each([
    ['users', `insert into users (id, name, email) select new_uuid(), 'User ' || n, n || '@example.com'`],
    [
      'content',
      `insert into content (id, title, slug, type, status)
       select new_uuid(), 'Piece ' || n, 'piece-' || n, 'ebook', 'published'`,
    ],
  ])('leaves out rows and reports how many: %s', async (path, insert) => {
    await app.production.knex.raw(`${insert} from generate_series(1, 1100) n`);
    const short = await client.get(`/analytics/${path}?${years}`).expect(200);
    expect([short.body.data.length, short.body.meta.omitted]).toEqual([1_000, 100]);
    const { body, text } = await client.get(`/analytics/${path}?${years}&tag=${tags}`).expect(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(body.data.length).toBeGreaterThan(400);
    expect(body.data.length + body.meta.omitted).toBe(1_100);
  });
});
