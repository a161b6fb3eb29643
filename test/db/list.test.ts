/** How statements of lists are prepared. The API doesn't show it, but it decides whether lists stay fast. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { conditionsOf } from '../../src/db/list/filters.ts';
import type { PageRequest } from '../../src/db/list/page.ts';
import { knex, MAX_NAMED_SHAPES } from '../../src/db/query.ts';
import { leadFilters, leads } from '../../src/leads/queries.ts';
import type { Input } from '../../src/operation.ts';
import { newUuid, toId } from '../../src/values/id.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

// A copy of its own, as the lists that a process has shown before decide which statements are named.
const copy = '../../src/db/list/fetch-page.ts?copy';
const { fetchPage }: typeof import('../../src/db/list/fetch-page.ts') = await import(copy);

let database: TestDatabase;
/** One connection, so that all statements are prepared on it. */
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  const admin = new Database(database.url, 1);
  await admin.run(
    knex.raw(
      `insert into leads (id, name, email, status, source, created_at)
        select new_uuid(), 'Lead ' || n, n || '@example.com', (array['new', 'won'])[1 + n % 2], 'api',
          timestamptz '2026-01-01Z' + n * interval '1 hour'
        from generate_series(1, 300) as n`,
    ),
  );
  await admin.run(knex.raw('analyze leads'));
  await admin.close();
});

beforeEach(async () => {
  db = new Database(database.url, 1);
  return () => db.close();
});

afterAll(() => database.drop());

const newest: PageRequest['sort'] = { column: 'created_at', type: 'timestamptz', descending: true };

type Query = Partial<Input<'listLeads'>['query']>;

function list(query: Query, more: Partial<PageRequest> = {}) {
  const conditions = conditionsOf(leadFilters, query);
  const request = { conditions, search: undefined, sort: newest, limit: 21, offset: 0, after: undefined };
  return fetchPage<{ id: string; name: string }>(db, leads, { ...request, ...more });
}

interface Prepared {
  name: string;
  generic_plans: string;
}

function prepared(): Promise<Prepared[]> {
  return db.run<Prepared>(knex('pg_prepared_statements').where('name', 'like', 'list_leads_%').select('*'));
}

describe('The statement of a list', () => {
  it('is the same for all values of its filters', async () => {
    const pages = [
      await list({ status: ['new'] }),
      await list({ status: ['won'] }),
      await list({ status: ['lost'] }),
    ];
    expect(pages.map(({ total, rows }) => [total, rows[0]?.name])).toEqual([
      [150, 'Lead 300'],
      [150, 'Lead 299'],
      [0, undefined],
    ]);
    expect(await prepared()).toHaveLength(1);
  });

  it('is the same for all metadata', async () => {
    await list({ metadata: { plan: 'gold' } });
    await list({ metadata: { plan: 'free', seats: '5' } });
    expect(await prepared()).toHaveLength(1);
  });

  it('is the same for all pages by cursor, and for all pages by number', async () => {
    const at = (day: string) => ({ after: { value: `2026-01-${day}T00:30:00.000Z`, id: newUuid() } });
    expect((await list({}, at('03'))).rows[0]?.name).toBe('Lead 48');
    expect((await list({}, at('05'))).rows[0]?.name).toBe('Lead 96');
    expect(await prepared()).toHaveLength(1);
    expect((await list({}, { offset: 100 })).rows[0]?.name).toBe('Lead 200');
    expect((await list({}, { offset: 200 })).rows[0]?.name).toBe('Lead 100');
    expect(await prepared()).toHaveLength(2);
  });

  it.each<[string, Query]>([
    ['no filter', {}],
    ['a status', { status: ['new'] }],
    ['a source', { source: ['api'] }],
    ['an assignee', { assigned_user_id: toId('user', newUuid()) }],
    ['no assignee', { assigned_user_id: 'none' }],
    ['a content', { content_id: toId('content', newUuid()) }],
    ['an email', { email: '7@example.com' }],
    ['metadata', { metadata: { plan: 'gold' } }],
    ['a currency', { currency: 'EUR' }],
    ['a company', { company: 'Navy' }],
    ['a lost reason', { lost_reason: 'Price' }],
    // PostgreSQL 15 expects ten values in a list that it doesn't know.
    ['ids', { ids: Array.from({ length: 20 }, () => toId('lead', newUuid())) }],
  ])('with %s is planned once', async (_, query) => {
    // PostgreSQL tries five plans for the values at hand before it compares them with a plan for all.
    for (let run = 0; run < 8; run += 1) await list(query);
    const [statement] = await prepared();
    expect(Number(statement?.generic_plans)).toBeGreaterThanOrEqual(3);
  });

  it('is planned for each set of values if the best plan depends on them', async () => {
    await list({ tag: ['vip'] });
    await list({ status: ['new', 'won'] });
    await list({ status: ['new'], source: ['api'] });
    await list({ status: ['new'] }, { sort: { column: 'name', type: 'text', descending: false } });
    expect(await prepared()).toEqual([]);
  });

  it('is not named when too many are', async () => {
    const columns = ['created_at', 'updated_at', 'status_changed_at', 'name', 'expected_close_on'] as const;
    const sorts = columns.flatMap((column) =>
      [true, false].map((descending) => ({ column, type: leads.sortable[column] ?? 'text', descending })),
    );
    const queries: Query[] = [{}, { status: ['new'] }, { source: ['api'] }, { assigned_user_id: 'none' }];
    for (const sort of sorts) {
      for (const limit of [2, 21, 51, 101]) {
        for (const offset of [0, 10]) {
          for (const query of queries) {
            const { total, rows } = await list(query, { sort, limit, offset });
            const expected = query.status === undefined ? 300 : 150;
            expect([total, rows.length]).toEqual([expected, Math.min(limit, expected - offset)]);
          }
        }
      }
    }
    // Of 96 that could have one.
    expect((await prepared()).length).toBeLessThanOrEqual(MAX_NAMED_SHAPES);
  });
});
