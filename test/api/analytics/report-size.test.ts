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
  it('is refused if not even one group fits', async () => {
    const path = `/analytics/timeseries?${years}`;
    await client.get(path).expect(200);
    const { body } = await client.get(`${path}&tag=${tags}`).expect(400);
    expect(body.errors.interval[0]).toContain('more than 4 MiB');
    await client.get(`${path}&tag=${tags}&interval=month`).expect(200);
  });

  it('leaves out rows and reports how many', async () => {
    await app.production.knex.raw(`
      with assignee as (
        insert into users (id, name, email)
        select new_uuid(), 'User ' || n, n || '@example.com' from generate_series(1, 1100) n returning id
      )
      insert into leads (id, name, email, status, source, tags, assigned_user_id)
      select new_uuid(), 'Lead', id || '@example.com', 'new', 'api', array[repeat('勝', 49) || '0'], id from assignee`);
    const path = `/analytics/breakdown?${years}&group_by=assigned_user`;
    const short = await client.get(path).expect(200);
    expect([short.body.data.length, short.body.meta.omitted]).toEqual([1_000, 100]);
    const { body, text } = await client.get(`${path}&tag=${tags}`).expect(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(body.data.length + body.meta.omitted).toBe(1_100);
    const series = await client
      .get(`/analytics/timeseries?${years}&group_by=assigned_user&interval=month`)
      .expect(200);
    expect(Buffer.byteLength(series.text)).toBeLessThanOrEqual(LIMIT);
    expect(series.body.data.length + series.body.meta.omitted).toBe(1_100 * 36);
  });
});
