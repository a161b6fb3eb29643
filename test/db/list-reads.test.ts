/** How much of the table lists of leads read: what the API can't show, but what decides whether they stay fast. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { countRows, fetchPage } from '../../src/db/list/fetch-page.ts';
import { conditionsOf } from '../../src/db/list/filters.ts';
import type { PageRequest } from '../../src/db/list/page.ts';
import { knex } from '../../src/db/query.ts';
import { leadFilters, leads } from '../../src/leads/queries.ts';
import { metadataConditions } from '../../src/metadata/select.ts';
import type { Input } from '../../src/operation.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
/** One connection, whose reads PostgreSQL reports at once. */
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Database(database.url, 1);
  // `common` has more leads than are sorted. `rare` has the oldest leads.
  // In parts, because a busy machine takes longer for all at once than a statement may.
  for (const first of [1, 6_001, 12_001]) {
    const insert = knex.raw(
      `insert into leads (id, name, email, status, source, tags, metadata, created_at)
        select new_uuid(), 'Lead ' || lpad(n::text, 5, '0'), n || '@example.com', (array['new', 'won'])[1 + n % 2], 'api',
          case when n % 3 = 0 then '{common,vip}' when n <= 3 then '{rare}' else '{}' end::text[],
          jsonb_build_object('plan', case when n <= 3 then 'gold' when n % 3 = 0 then 'free' else 'basic' end),
          timestamptz '2026-01-01Z' + n * interval '1 minute'
        from generate_series(?::int, ?::int) as n`,
      [first, first + 5_999],
    );
    await db.run(insert);
  }
  await db.run(
    knex.raw(
      `with contact as (insert into contacts (id, name, email) values (new_uuid(), 'Ada', 'ada@example.com') returning id)
        update leads set contact_id = contact.id from contact where leads.name = 'Lead 17999'`,
    ),
  );
  await db.run(knex.raw('vacuum analyze leads'));
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const newest: PageRequest['sort'] = { column: 'created_at', type: 'timestamptz', descending: true };

const byName: PageRequest['sort'] = { column: 'name', type: 'text', descending: false };

type Query = Partial<Input<'listLeads'>['query']>;

async function list(query: Query, more: Partial<PageRequest> = {}) {
  const conditions = [
    ...conditionsOf(leadFilters, query),
    ...(await metadataConditions(db, 'leads', query.metadata)),
  ];
  const request = { conditions, search: undefined, sort: newest, limit: 21, offset: 0, after: undefined };
  const { rows, total } = await fetchPage<{ name: string }>(db, leads, { ...request, ...more });
  return { total, names: rows.map(({ name }) => Number(name.slice(5))) };
}

/** How many leads PostgreSQL has read so far. */
async function leadsRead(): Promise<number> {
  await db.run(knex.raw('select pg_stat_force_next_flush()'));
  const [read] = await db.run<{ leads: string }>(
    knex.raw(
      `select seq_tup_read + coalesce(idx_tup_fetch, 0) as leads from pg_stat_user_tables where relname = 'leads'`,
    ),
  );
  return Number(read?.leads);
}

const multiplesOf = (step: number, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => from + n * step);

describe('A list reads few leads', () => {
  it.each<[string, Query, Partial<PageRequest>, number, number[]]>([
    ['of a common tag', { tag: ['common'] }, {}, 6_000, multiplesOf(-3, 18_000, 21)],
    ['of a common tag, by name', { tag: ['common'] }, { sort: byName }, 6_000, multiplesOf(3, 3, 21)],
    ['of a common tag, last page', { tag: ['common'] }, { offset: 5_990 }, 6_000, multiplesOf(-3, 30, 10)],
    ['of a common tag, beyond the last page', { tag: ['common'] }, { offset: 6_000 }, 6_000, []],
    ['of a rare tag', { tag: ['rare'] }, {}, 2, [2, 1]],
    [
      'of a rare tag, by name',
      { tag: ['rare'] },
      { sort: { column: 'name', type: 'text', descending: true } },
      2,
      [2, 1],
    ],
    ['of a rare tag and a status', { tag: ['rare'], status: ['won'] }, {}, 1, [1]],
    ['of several rare tags', { tag: ['rare', 'nobody'] }, {}, 2, [2, 1]],
    ['of a tag that no lead has', { tag: ['nobody'] }, {}, 0, []],
    ['of rare metadata', { metadata: { plan: 'gold' } }, {}, 3, [3, 2, 1]],
    [
      'of rare metadata, by name',
      { metadata: { plan: 'gold' } },
      { sort: { column: 'name', type: 'text', descending: true } },
      3,
      [3, 2, 1],
    ],
    ['of metadata that no lead has', { metadata: { plan: 'none' } }, {}, 0, []],
    ['by name, nearer to the end', {}, { sort: byName, offset: 17_700 }, 18_000, multiplesOf(1, 17_701, 21)],
    ['by name, last page', {}, { sort: byName, offset: 17_990 }, 18_000, multiplesOf(1, 17_991, 10)],
    ['by name, beyond the last page', {}, { sort: byName, offset: 2e11 }, 18_000, []],
    [
      'of a status by name, beyond the last page',
      { status: ['won'] },
      { sort: byName, offset: 9_000 },
      9_000,
      [],
    ],
    [
      'of a user, beyond the last page',
      { assigned_user_id: 'none' },
      { sort: byName, offset: 2e11 },
      18_000,
      [],
    ],
    ['without a contact', { contact_id: 'none' }, { limit: 2 }, 17_999, [18_000, 17_998]],
  ])('%s', async (_, query, more, total, names) => {
    const before = await leadsRead();
    expect(await list(query, more)).toEqual({ total, names });
    expect((await leadsRead()) - before).toBeLessThan(500);
  });

  it('and no lead for a count by one tag, status and source', async () => {
    const before = await leadsRead();
    const count = (query: Query) => countRows(db, leads, conditionsOf(leadFilters, query));
    expect(await count({ tag: ['vip'] })).toBe(6_000);
    expect(await count({ tag: ['vip'], status: ['won'], source: ['api', 'manual'] })).toBe(3_000);
    expect(await leadsRead()).toBe(before);
    // With several tags or other filters, leads are counted.
    expect(await count({ tag: ['vip', 'common'] })).toBe(6_000);
    expect(await count({ tag: ['vip'], created_from: '2026-01-02' })).toBe(5_521);
    expect(await leadsRead()).toBeGreaterThan(before);
  });
});
