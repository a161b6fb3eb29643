import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeadRow } from '../../../src/leads/tables.ts';
import { toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { listLeads, walk } from '../../support/lists.ts';

/** Searches with more hits are fetched in another way (MAX_SORTED_HITS in src/db/list/hits-page.ts). */
const FEW_HITS = 5_000;

let app: TestApp;
let client: TestClient;
let all: Pick<LeadRow, 'id' | 'name' | 'company' | 'created_at' | 'status'>[];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const { knex } = app.production;
  // `many` is in all 6,000, `few` in every third, `edge` in as many as just count as few; times come in groups of ten.
  await knex.raw(`
    insert into leads (id, name, email, status, source, company, created_at)
    select gen_random_uuid(), 'Many ' || md5(i::text), 'lead' || i || '@example.com',
      case when i % 7 = 0 then 'won' else 'new' end, 'api',
      concat_ws(' ', 'Inc', case when i % 3 = 0 then 'Few' end, case when i <= 5000 then 'Edge' end),
      '2026-01-01'::timestamptz + (i * 7919 % 6000 / 10) * interval '1 minute'
    from generate_series(1, 6000) as i`);
  await knex.raw('analyze leads');
  const rows = await knex('leads').select('id', 'name', 'created_at', 'status', 'company');
  all = rows.map((row) => ({ ...row, id: toId('lead', row.id) }));
});

afterAll(() => app.close());

type Row = (typeof all)[number];

const byNewest = (a: Row, b: Row) =>
  Date.parse(b.created_at) - Date.parse(a.created_at) || (a.id < b.id ? 1 : -1);
const byName = (a: Row, b: Row) => (a.name < b.name ? -1 : 1);
const inCompany =
  (word: string) =>
  ({ company }: Row) =>
    company?.includes(word) ?? false;

describe('GET /leads?search= with few hits and with many', () => {
  it.each([
    ['many', () => true, 6_000],
    ['edge', inCompany('Edge'), FEW_HITS],
    ['few', inCompany('Few'), 2_000],
  ])('%s: shows the same as a look at every lead', async (search, isHit, total) => {
    const hits = all.filter(isHit);
    expect(hits).toHaveLength(total);
    const newest = hits.toSorted(byNewest).map(({ id }) => id);
    const last = Math.ceil(total / 30);
    for (const page of [1, 2, 50, last, last + 1]) {
      const { leads, meta } = await listLeads(client, { search, page, per_page: 30 });
      expect(meta).toMatchObject({ total, last_page: last });
      expect(leads.map(({ id }) => id)).toEqual(newest.slice((page - 1) * 30, page * 30));
    }
    const byNames = await listLeads(client, { search, sort: 'name', per_page: 50, page: 2 });
    expect(byNames.leads.map(({ id }) => id)).toEqual(
      hits
        .toSorted(byName)
        .slice(50, 100)
        .map(({ id }) => id),
    );
  });

  it('goes together with a filter on both sides of the border', async () => {
    const isNew = ({ status }: Row) => status === 'new';
    const many = all.filter(isNew);
    expect(many.length).toBeGreaterThan(FEW_HITS);
    for (const [status, hits] of [
      ['new', many],
      ['won', all.filter((row) => !isNew(row))],
    ] as const) {
      const { leads, meta } = await listLeads(client, { search: 'many', status, per_page: 100 });
      expect(meta.total).toBe(hits.length);
      expect(leads.map(({ id }) => id)).toEqual(
        hits
          .toSorted(byNewest)
          .slice(0, 100)
          .map(({ id }) => id),
      );
    }
  });

  it('walks by cursor over every hit once', async () => {
    const pages = await walk(client, { search: 'many', per_page: 100 });
    expect(pages.flatMap(({ leads }) => leads.map(({ id }) => id))).toEqual(
      all.toSorted(byNewest).map(({ id }) => id),
    );
  });
});

describe('GET /leads, pages far from the first one', () => {
  const orders = { name: byName, '-name': (a: Row, b: Row) => byName(b, a), '-created_at': byNewest };
  const filters: Record<string, string>[] = [
    {},
    { status: 'new' },
    { search: 'many' },
    { search: 'inc', status: 'new' },
    { contact_id: 'none' },
  ];

  it.each(
    filters.flatMap((filter) => Object.entries(orders).map(([sort, order]) => ({ filter, sort, order }))),
  )('show the same as a look at every lead: $filter by $sort', async ({ filter, sort, order }) => {
    const expected = all.filter(({ status }) => filter.status === undefined || status === filter.status);
    const ids = expected.toSorted(order).map(({ id }) => id);
    const last = Math.ceil(ids.length / 100);
    for (const page of [12, Math.floor(last / 2), last - 1, last, last + 1, 2_000_000_000]) {
      const { leads, meta } = await listLeads(client, { ...filter, sort, page, per_page: 100 });
      expect(meta).toMatchObject({ total: ids.length, current_page: page, last_page: last });
      expect(leads.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 100, page * 100));
      expect(meta.next_cursor === null).toBe(page >= last);
    }
  });
});
