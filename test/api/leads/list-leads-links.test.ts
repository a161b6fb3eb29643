import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { followLink, insertLeads, linked, listLeads, parseLinks } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;
const tag = 'über "cool" <b> & c;';

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await insertLeads(
    app.production.knex,
    Array.from({ length: 23 }, (_, index) => ({
      name: `Ada ${index}`,
      tags: index < 21 ? [tag] : [],
      status: index % 2 === 0 ? ('new' as const) : ('won' as const),
    })),
  );
});

afterAll(() => app.close());

/** The page that each link names. */
function pagesOf(links: Record<string, string>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(links).map(([rel, link]) => [rel, linked(link).searchParams.get('page')]),
  );
}

describe('The Link header of GET /leads', () => {
  it.each([
    [1, { first: '1', next: '2', last: '3' }],
    [2, { first: '1', prev: '1', next: '3', last: '3' }],
    [3, { first: '1', prev: '2', last: '3' }],
    [4, { first: '1', prev: '3', last: '3' }],
    [9, { first: '1', prev: '3', last: '3' }],
  ])('on page %i of 3 names those pages that there are', async (page, expected) => {
    const { links } = await listLeads(client, { page, per_page: 10 });
    expect(pagesOf(links)).toEqual(expected);
  });

  it('of an empty list names its one page', async () => {
    const { links } = await listLeads(client, { external_id: 'nobody' });
    expect(pagesOf(links)).toEqual({ first: '1', last: '1' });
  });

  it('leads from page 1 by next to every lead, and by prev back again', async () => {
    const all = await listLeads(client, { per_page: 100 });
    const seen: string[] = [];
    const back: number[] = [];
    let page = await listLeads(client, { per_page: 4 });
    for (;;) {
      seen.push(...page.leads.map(({ id }) => id));
      if (page.links.next === undefined) break;
      page = await followLink(client, page.links.next);
    }
    while (page.links.prev !== undefined) {
      page = await followLink(client, page.links.prev);
      back.push(page.meta.current_page);
    }
    expect(seen).toEqual(all.leads.map(({ id }) => id));
    expect(back).toEqual([5, 4, 3, 2, 1]);
  });

  it('goes on by cursor where the caller came by cursor', async () => {
    const first = await listLeads(client, { per_page: 8 });
    const second = await listLeads(client, { per_page: 8, cursor: first.meta.next_cursor ?? '' });
    expect(Object.keys(second.links)).toEqual(['first', 'next', 'last']);
    const third = await followLink(client, second.links.next ?? '');
    expect(third.meta).toMatchObject({ current_page: 3, next_cursor: null });
    expect(third.leads).toHaveLength(7);
    expect(Object.keys(third.links)).toEqual(['first', 'last']);
    expect((await followLink(client, third.links.first ?? '')).leads).toEqual(first.leads);
  });

  it('keeps filters, search, sort and page size, whatever characters they have', async () => {
    const query = {
      tag,
      status: 'new,won',
      search: 'ada',
      sort: 'name',
      per_page: 5,
      created_to: '2999-12-31T00:00:00+01:00',
    };
    const { links, meta } = await listLeads(client, query);
    expect(meta.total).toBe(21);
    for (const link of Object.values(links)) {
      const { page: _page, ...kept } = Object.fromEntries(linked(link).searchParams);
      expect(kept).toEqual({ ...query, per_page: '5' });
    }
    const last = await followLink(client, links.last ?? '');
    expect(last.leads).toHaveLength(1);
    expect(last.meta).toMatchObject({ total: 21, current_page: 5 });
  });

  it('refers to paths of the environment that answered', async () => {
    const { links } = await listLeads(client);
    expect(links.first).toMatch(/^\/v1\/leads\?/);
    const sandbox = await app.client(['read'], 'sandbox');
    const { headers } = await sandbox.get('/leads').expect(200);
    expect(parseLinks(headers.link ?? '').first).toMatch(/^\/sandbox\/v1\/leads\?/);
  });
});
