import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { notes } from '../../support/notes.ts';

describe('GET /notes?lead_id=, pages far from the first one', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    await notes.prepare?.(app);
    await app.production.knex.raw(
      `insert into notes (id, lead_id, text, actor_type, created_at)
      select gen_random_uuid(), ?, n::text, 'client',
        '2026-01-01'::timestamptz + n * interval '1 minute'
      from generate_series(1, 2500) as n`,
      [toUuid('lead', notes.ownerId) ?? ''],
    );
  });

  afterAll(() => app.close());

  it.each([
    [11, 1500, 1401],
    [20, 600, 501],
    [25, 100, 1],
  ])('show the notes in order: page %i', async (page, newest, oldest) => {
    const client = await app.client();
    const { body } = await client
      .get(`/notes?lead_id=${notes.ownerId}&per_page=100&page=${page}`)
      .expect(200);
    expect(body.meta).toMatchObject({ total: 2500, last_page: 25 });
    const numbers = body.data.map(({ text }: { text: string }) => Number.parseInt(text, 10));
    expect(numbers).toEqual(Array.from({ length: newest - oldest + 1 }, (_, n) => newest - n));
  });

  it('end early where the notes are large', async () => {
    const client = await app.client();
    await app.production.knex.raw(
      `update notes set text = repeat('x', 50000) where text::int between 100 and 200`,
    );
    const { body, headers } = await client
      .get(`/notes?lead_id=${notes.ownerId}&per_page=100&page=24`)
      .expect(200);
    expect(body.data.length).toBeGreaterThan(50);
    expect(body.data.length).toBeLessThan(100);
    const next = new URL(/<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? '', 'https://api.test');
    const { body: rest } = await client.get(next.pathname.replace('/v1', '') + next.search).expect(200);
    expect(rest.data[0].created_at < body.data.at(-1).created_at).toBe(true);
    expect(rest.meta.total).toBe(2500);
  });
});
