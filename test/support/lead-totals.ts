/** Compares lists of leads with the table itself. */
import type { Knex } from 'knex';
import { expect } from 'vitest';
import type { LeadRow } from '../../src/leads/tables.ts';
import { toId } from '../../src/values/id.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { listLeads, walk } from './lists.ts';

export const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export const sources = ['api', 'website', 'referral', 'manual'] as const;

export type Query = Record<string, string>;

interface Api {
  db: Knex;
  client: TestClient;
}

export interface CountedLeads extends Api {
  app: TestApp;
  /** Each list must have the total that the table has. */
  expectTotals(queries: readonly Query[]): Promise<void>;
  /** The pages of the list, and the walk by cursor, must show the rows of the table. */
  expectPages(query: Query, perPage: number): Promise<void>;
}

export async function startCountedLeads(): Promise<CountedLeads> {
  const app = await startTestApp({ sandbox: true });
  const api = { db: app.production.knex, client: await app.client() };
  return {
    ...api,
    app,
    expectTotals: (queries) => expectTotals(api, queries),
    expectPages: (query, perPage) => expectPages(api, query, perPage),
  };
}

/** The table as the API shows it, newest first. */
export async function allLeads(db: Knex) {
  const rows = await db('leads').select('*').orderBy(['created_at', 'id']);
  return rows.toReversed().map((row) => ({
    id: toId('lead', row.id),
    status: row.status,
    source: row.source,
    tags: row.tags,
    owner: row.assigned_user_id === null ? 'none' : toId('user', row.assigned_user_id),
    at: row.created_at,
  }));
}

type Seen = Awaited<ReturnType<typeof allLeads>>[number];

function matches(query: Query): (lead: Seen) => boolean {
  const { status, source, tag, assigned_user_id: owner, created_from: from, created_to: to } = query;
  return (lead) =>
    (status?.split(',').includes(lead.status) ?? true) &&
    (source?.split(',').includes(lead.source) ?? true) &&
    (tag?.split(',').some((one) => lead.tags.includes(one)) ?? true) &&
    (owner === undefined || owner === lead.owner) &&
    (from === undefined || lead.at >= (from.length === 10 ? `${from}T00:00:00.000Z` : from)) &&
    (to === undefined || lead.at <= (to.length === 10 ? `${to}T23:59:59.999Z` : to));
}

async function expectTotals({ db, client }: Api, queries: readonly Query[]): Promise<void> {
  const leads = await allLeads(db);
  for (const query of queries) {
    const { meta } = await listLeads(client, { ...query, per_page: 1 });
    expect({ query, total: meta.total }).toEqual({ query, total: leads.filter(matches(query)).length });
    if (query.tag !== undefined && query.created_from === undefined && query.created_to === undefined) {
      await expectCurrent({ db, client }, leads, query);
    }
  }
}

/** The report uses the counters even where a list counts its few hits itself. */
async function expectCurrent({ client }: Api, leads: readonly Seen[], query: Query): Promise<void> {
  const { status: _, ...filters } = query;
  const { body } = await client.get(`/analytics/time-in-status?${new URLSearchParams(filters)}`).expect(200);
  const current = statuses.map((status) => leads.filter(matches({ ...filters, status })).length);
  expect({ query, current: body.data.map((row: { open_current: number }) => row.open_current) }).toEqual({
    query,
    current,
  });
}

async function expectPages({ db, client }: Api, query: Query, per_page: number): Promise<void> {
  const expected = (await allLeads(db)).filter(matches(query)).map(({ id }) => id);
  for (const [sort, ids] of [
    ['-created_at', expected],
    ['created_at', expected.toReversed()],
  ] as const) {
    const last = Math.max(1, Math.ceil(ids.length / per_page));
    const found: string[] = [];
    for (let page = 1; page <= last; page += 1) {
      const { leads, meta } = await listLeads(client, { ...query, sort, per_page, page });
      found.push(...leads.map(({ id }) => id));
      expect(meta).toMatchObject({ total: ids.length, last_page: last });
      expect(meta.next_cursor === null).toBe(page === last);
    }
    expect(found).toEqual(ids);
    const beyond = await listLeads(client, { ...query, sort, per_page, page: last + 1 });
    expect(beyond.leads).toEqual([]);
    const walked = await walk(client, { ...query, sort, per_page });
    expect(walked.flatMap(({ leads }) => leads.map(({ id }) => id))).toEqual(ids);
  }
}

export const at = (text: string, fields: Partial<LeadRow> = {}): Partial<LeadRow> => ({
  created_at: new Date(text).toISOString(),
  ...fields,
});

/** They include values that only other clients of the database can write. */
export const manyTags = [[], ['vip'], [], ['vip', 'newsletter'], ['vip', 'vip'], ['VIP', ''], ['newsletter']];

/** Three months of leads of all kinds, several a day, including the first and the last millisecond of some days. */
export function manyLeads(): Partial<LeadRow>[] {
  return Array.from({ length: 600 }, (_, n) => {
    const day = Date.UTC(2026, 0, 25) + Math.floor(n / 6) * 86_400_000;
    const moment = [0, 1, 43_200_000, 86_399_999, 86_399_999, 3_600_000][n % 6] ?? 0;
    return {
      created_at: new Date(day + moment).toISOString(),
      status: statuses[n % 5],
      source: sources[(n * 7) % 4],
      tags: manyTags[n % 7],
      assigned_user_id: null,
    };
  });
}

export const filters: Query[] = [
  {},
  { status: 'won' },
  { status: 'new,lost' },
  { source: 'api' },
  { status: 'won', source: 'website,manual' },
  { assigned_user_id: 'none' },
  { tag: 'vip' },
  { tag: 'vip', status: 'won' },
  { tag: 'newsletter', status: 'new,lost', source: 'website,manual' },
  { tag: 'VIP', source: 'api' },
  { tag: 'vip,newsletter' },
  { tag: 'vip', assigned_user_id: 'none' },
  { tag: 'nobody' },
];
const ranges: Query[] = [
  {},
  { created_from: '2026-02-03' },
  { created_to: '2026-03-31' },
  { created_from: '2026-02-01', created_to: '2026-02-28' },
  { created_from: '2026-01-31', created_to: '2026-04-01' },
  { created_from: '2026-01-28T12:00:00.000Z', created_to: '2026-04-02T12:00:00.000Z' },
  { created_from: '2026-02-27T23:59:59.999Z', created_to: '2026-03-01T00:00:00.000Z' },
  { created_from: '2026-02-10T00:00:00.001Z', created_to: '2026-02-10T23:59:59.998Z' },
];
/** Each filter with each range. */
export const combined: Query[] = filters.flatMap((filter) =>
  ranges.map((range) => ({ ...filter, ...range })),
);
