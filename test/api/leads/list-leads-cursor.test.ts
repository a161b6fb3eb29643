import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { insertLeads, listLeads, walk } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** Leads of one test under a tag of their own: three at each moment, so that pages end within equal values. */
function insert(tag: string, count: number): Promise<string[]> {
  return insertLeads(
    app.production.knex,
    Array.from({ length: count }, (_, index) => {
      const moment = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3))).toISOString();
      const name = `Lead ${Math.floor(index / 3)}`;
      return { name, tags: [tag], created_at: moment, updated_at: moment, status_changed_at: moment };
    }),
  );
}

const idsOf = (pages: { leads: { id: string }[] }[]) =>
  pages.flatMap(({ leads }) => leads.map(({ id }) => id));

describe('GET /leads by cursor', () => {
  it('counts its pages on from where the walk began', async () => {
    await insert('from three', 25);
    const pages = await walk(client, { tag: 'from three', per_page: 5, page: 3 });
    expect(pages.map(({ meta }) => meta.current_page)).toEqual([3, 4, 5]);
    expect(pages.map(({ meta }) => [meta.total, meta.last_page])).toEqual([
      [25, 5],
      [25, 5],
      [25, 5],
    ]);
    expect(idsOf(pages)).toHaveLength(15);
  });

  it.each([9, 10, 11])('has no next_cursor exactly at the end: %i leads, 5 a page', async (count) => {
    const tag = `end ${count}`;
    await insert(tag, count);
    const pages = await walk(client, { tag, per_page: 5 });
    expect(pages).toHaveLength(Math.ceil(count / 5));
    expect(idsOf(pages)).toHaveLength(count);
  });

  it('may change the page size on the way', async () => {
    await insert('sizes', 20);
    const all = await listLeads(client, { tag: 'sizes', per_page: 100 });
    const first = await listLeads(client, { tag: 'sizes', per_page: 3 });
    const cursor = first.meta.next_cursor ?? '';
    const second = await listLeads(client, { tag: 'sizes', per_page: 16, cursor });
    expect(second.meta).toMatchObject({ per_page: 16, current_page: 2, total: 20 });
    const third = await listLeads(client, { tag: 'sizes', cursor: second.meta.next_cursor ?? '' });
    expect(third.meta).toMatchObject({ per_page: 20, current_page: 3, next_cursor: null });
    expect(idsOf([first, second, third])).toEqual(idsOf([all]));
  });

  it('gives the same page again when the cursor is sent again', async () => {
    await insert('again', 9);
    const { meta } = await listLeads(client, { tag: 'again', per_page: 4 });
    const query = { tag: 'again', per_page: 4, cursor: meta.next_cursor ?? '' };
    const [one, two] = [await listLeads(client, query), await listLeads(client, query)];
    expect(one.leads).toHaveLength(4);
    expect(two).toEqual(one);
  });

  it.each(['created_at', '-created_at', 'updated_at', '-status_changed_at', 'name', '-name'])(
    'by %s neither skips nor repeats a lead while others come and go',
    async (sort) => {
      const tag = `walk ${sort}`;
      const uuids = await insert(tag, 40);
      const first = await walk(client, { tag, sort, per_page: 40 });
      const inOrder = idsOf(first);
      const deleted = new Set<string>();
      let turn = 0;
      const pages = await walk(client, { tag, sort, per_page: 3 }, async ({ leads }) => {
        turn += 1;
        // Otherwise new leads at the end would keep ahead of the walk forever.
        if (turn > 8) return;
        const early = new Date(Date.UTC(2025, 0, turn));
        const late = new Date(Date.UTC(2027, 0, turn));
        const between = new Date(Date.UTC(2026, 0, 5));
        await insertLeads(
          app.production.knex,
          [early, late, between]
            .map((moment) => moment.toISOString())
            .flatMap((moment) => [
              { name: 'Aaa', tags: [tag], created_at: moment, updated_at: moment, status_changed_at: moment },
              { name: 'Zzz', tags: [tag], created_at: moment, updated_at: moment, status_changed_at: moment },
            ]),
        );
        // The lead at the cursor, and one that is still to come.
        const victims = [leads.at(-1)?.id, inOrder[inOrder.length - turn]].filter((id) => id !== undefined);
        for (const id of victims) {
          deleted.add(id);
          await client.delete(`/leads/${id}`);
        }
      });
      const walked = idsOf(pages);
      const atTheStart = new Set(inOrder);
      expect(turn).toBeGreaterThan(5);
      expect(uuids).toHaveLength(40);
      expect(new Set(walked).size).toBe(walked.length);
      const seen = walked.filter((id) => atTheStart.has(id));
      expect(seen).toEqual(inOrder.filter((id) => seen.includes(id)));
      expect(inOrder.filter((id) => !seen.includes(id) && !deleted.has(id))).toEqual([]);
    },
  );

  it('stands at a name of the greatest length in any script', async () => {
    const name = '名'.repeat(200);
    await insertLeads(app.production.knex, [
      { name, tags: ['long'] },
      { name: `${name.slice(1)}字`, tags: ['long'] },
      { name: 'Ada', tags: ['long'] },
    ]);
    const pages = await walk(client, { tag: 'long', sort: 'name', per_page: 1 });
    expect(new Set(idsOf(pages)).size).toBe(3);
  });
});
