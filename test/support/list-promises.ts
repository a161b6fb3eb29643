/** What every list promises, whatever it lists. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { linked, parseLinks } from './lists.ts';
import { asListed, expectRefusal, make, read, type TestResource } from './resources.ts';

type Item = Record<string, string> & { id: string };

export function describeList(resource: TestResource<unknown>): void {
  const { path, nameField, table = path.slice(1), isSearched = true } = resource;
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client();
    await resource.prepare?.(app);
  });

  beforeEach(async () => void (await app.production.knex.raw(`delete from ${table}`)));

  afterAll(() => app.close());

  async function makeNamed(...names: string[]): Promise<Item[]> {
    const made: Item[] = [];
    for (const name of names) made.push((await make(client, resource, { [nameField]: name })) as Item);
    return made;
  }

  async function page(query = '') {
    const { body, headers } = await client.get(`${path}?${query}`).expect(200);
    return { data: body.data as Item[], meta: body.meta, links: parseLinks(headers.link ?? '') };
  }

  const namesOf = (items: Item[]) => items.map((item) => item[nameField]).join(' ');

  const moments = (days: string[]) =>
    Promise.all(
      days.map(async (day) => {
        const [item] = await makeNamed(day);
        const at = new Date(`${day}T12:00:00.000Z`);
        await app.production.knex.raw(
          `update ${table} set created_at = ?, updated_at = ? where ${nameField} = ?`,
          [at, at, day],
        );
        return item;
      }),
    );

  if (isSearched)
    describe(`GET ${path}, searched`, () => {
      it.each([
        ['mull', 1],
        ['MÜLLER', 1],
        ['anna mul', 1],
        ['muller anna', 1],
        ['uller', 0],
        ['anna schmidt', 0],
        ['an', 2],
      ])('is searched by the beginnings of words: %s finds %i', async (search, total) => {
        await makeNamed('Anna Müller', 'Andrew Schmidt', 'Zoe');
        const { data, meta } = await page(`search=${encodeURIComponent(search)}`);
        expect([data.length, meta.total]).toEqual([total, total]);
      });

      it('takes ten words, and does not count repeated words and beginnings of others', async () => {
        await makeNamed('Anna Müller one two three four five six seven eight');
        const ten = 'anna MULLER one two three four five six seven eight';
        const more = `${ten} Anna müll müller mü o, thr`;
        expect((await page(`search=${encodeURIComponent(ten)}`)).meta.total).toBe(1);
        expect((await page(`search=${encodeURIComponent(more)}`)).meta.total).toBe(1);
        const answer = client.get(`${path}?search=${encodeURIComponent(`${ten} nine`)}`);
        const body = await expectRefusal(answer, { status: 400, field: 'search', code: 'invalid_parameter' });
        expect(body.errors?.search).toEqual([expect.stringContaining('at most 10 words')]);
      });

      it('finds what was made or renamed by the very next request', async () => {
        const [item] = await makeNamed('Quagga');
        expect((await page('search=quagga')).meta.total).toBe(1);
        await client.patch(`${path}/${item?.id}`, { [nameField]: 'Okapi' }).expect(200);
        expect((await page('search=quagga')).meta.total).toBe(0);
        expect((await page('search=okapi&sort=updated_at')).meta.total).toBe(1);
      });
    });

  describe(`GET ${path}, a list like every other`, () => {
    it('is empty at first: no data and exact meta', async () => {
      const { body } = await client.get(path).expect(200);
      expect(body).toEqual({
        data: [],
        meta: { total: 0, per_page: 20, current_page: 1, last_page: 1, next_cursor: null },
      });
    });

    it('shows the newest first, each as it reads alone', async () => {
      await makeNamed('A', 'B', 'C');
      const { data } = await page();
      expect(namesOf(data)).toBe('C B A');
      for (const item of data)
        expect(asListed(resource, await read(client, resource, item.id))).toEqual(item);
    });

    it('orders those of the same moment by id, the greatest first', async () => {
      const made = await makeNamed('A', 'B', 'C', 'D', 'E');
      await app.production.knex.raw(`update ${table} set created_at = '2026-01-01T00:00:00Z'`);
      const { data } = await page();
      const ids = made.map(({ id }) => id);
      expect(data.map(({ id }) => id)).toEqual(ids.toSorted().toReversed());
    });

    it('counts exactly, and shows each on one page only', async () => {
      const made = await makeNamed('A', 'B', 'C', 'D', 'E');
      const pages = await Promise.all([1, 2, 3, 4].map((number) => page(`per_page=2&page=${number}`)));
      expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1, 0]);
      expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(made.length);
      for (const [index, { meta }] of pages.entries()) {
        expect(meta).toMatchObject({ total: 5, per_page: 2, current_page: index + 1, last_page: 3 });
      }
    });

    it('names its first, previous, next and last page', async () => {
      await makeNamed('A', 'B', 'C');
      const { links } = await page('per_page=1&page=2');
      expect(Object.keys(links).toSorted()).toEqual(['first', 'last', 'next', 'prev']);
      expect(linked(links.next).searchParams.get('page')).toBe('3');
      expect(links.next).toContain(`/v1${path}?`);
    });

    it('is walked by cursor without a skip or a repeat while others come', async () => {
      const made = await makeNamed('A', 'B', 'C', 'D', 'E');
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const answer = await page(cursor === '' ? 'per_page=2' : `per_page=2&cursor=${cursor}`);
        seen.push(...answer.data.map(({ id }) => id));
        await makeNamed('New');
        cursor = answer.meta.next_cursor;
      }
      expect(seen).toEqual(made.map(({ id }) => id).toReversed());
    });

    it.each([
      ...(isSearched
        ? [
            [nameField, 'Ada Émile Zoe'],
            [`-${nameField}`, 'Zoe Émile Ada'],
          ]
        : []),
      ['created_at', 'Émile Zoe Ada'],
      ['-created_at', 'Ada Zoe Émile'],
      ['updated_at', 'Zoe Ada Émile'],
      ['-updated_at', 'Émile Ada Zoe'],
    ])('is sorted by %s', async (sort, expected) => {
      const [first] = await makeNamed('Émile', 'Zoe', 'Ada');
      await client.patch(`${path}/${first?.id}`, { [nameField]: 'Emile' }).expect(200);
      await client.patch(`${path}/${first?.id}`, { [nameField]: 'Émile' }).expect(200);
      expect(namesOf((await page(`sort=${sort}`)).data)).toBe(expected);
      const walked = await page(`sort=${sort}&per_page=2`);
      const rest = await page(`sort=${sort}&per_page=2&cursor=${walked.meta.next_cursor}`);
      expect(namesOf([...walked.data, ...rest.data])).toBe(expected);
    });

    it.each([
      ['created_from=2026-01-02', '2026-01-03 2026-01-02'],
      ['created_to=2026-01-02', '2026-01-02 2026-01-01'],
      ['created_from=2026-01-02&created_to=2026-01-02', '2026-01-02'],
      ['created_from=2026-01-02T12:00:00Z&created_to=2026-01-02T13:00:00%2B01:00', '2026-01-02'],
      ['updated_from=2026-01-02T12:00:00.001Z', '2026-01-03'],
      ['updated_to=2026-01-01', '2026-01-01'],
    ])('is filtered by %s, both ends inclusive', async (query, expected) => {
      await moments(['2026-01-01', '2026-01-02', '2026-01-03']);
      expect(namesOf((await page(query)).data)).toBe(expected);
    });

    it.each([
      ['per_page=101', 'per_page'],
      ['per_page=0', 'per_page'],
      ['page=0', 'page'],
      ['sort=colour', 'sort'],
      ['colour=red', 'colour'],
      ['search=', 'search'],
      ['created_from=yesterday', 'created_from'],
      ['updated_to=2026-02-30', 'updated_to'],
    ])('refuses %s by name', async (query, field) => {
      await expectRefusal(client.get(`${path}?${query}`), { status: 400, field, code: 'invalid_parameter' });
    });

    it('refuses a range that ends before it begins', async () => {
      const { body } = await client.get(`${path}?created_from=2026-01-02&created_to=2026-01-01`).expect(400);
      expect(Object.keys(body.errors).join()).toMatch(/created_(from|to)/);
    });

    it('refuses a cursor that is none, that is of another list, or that comes with a page', async () => {
      await makeNamed('A', 'B');
      const { meta } = await page('per_page=1');
      const code = 'invalid_cursor';
      await expectRefusal(client.get(`${path}?cursor=x`), { status: 400, field: 'cursor', code });
      const other = client.get(`${path}?created_from=2026-01-01&cursor=${meta.next_cursor}`);
      await expectRefusal(other, { status: 400, field: 'cursor', code });
      await client.get(`${path}?page=1&cursor=${meta.next_cursor}`).expect(400);
    });

    it('shows nothing of the other environment', async () => {
      await make(await app.client(['write'], 'sandbox'), resource);
      expect((await page()).meta.total).toBe(0);
    });
  });
}
