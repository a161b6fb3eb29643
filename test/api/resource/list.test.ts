/** What every list promises. The tests of leads go further. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { inboundHooks } from '../../support/hooks.ts';
import { linked, parseLinks } from '../../support/lists.ts';
import { notes } from '../../support/notes.ts';
import {
  asListed,
  contacts,
  content,
  expectRefusal,
  leads,
  make,
  read,
  refusedFields,
  type TestResource,
  users,
} from '../../support/resources.ts';

type Item = Record<string, string> & { id: string };

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
  await notes.prepare?.(app);
});

afterAll(() => app.close());

const searched = [leads, contacts, content, users] as TestResource<unknown>[];
/** Notes come first, before their lead and contact are deleted. */
const listed = [notes, contacts, content, users, inboundHooks] as TestResource<unknown>[];

async function makeNamed(resource: TestResource<unknown>, ...names: string[]): Promise<Item[]> {
  const made: Item[] = [];
  for (const name of names) made.push((await make(client, resource, { [resource.nameField]: name })) as Item);
  return made;
}

async function page({ path }: TestResource<unknown>, query = '') {
  const { body, headers } = await client.get(`${path}?${query}`).expect(200);
  return { data: body.data as Item[], meta: body.meta, links: parseLinks(headers.link ?? '') };
}

const idsOf = (items: Item[]) => items.map(({ id }) => id);

describe.each(listed)('GET $path', (resource) => {
  const { path, nameField, table = path.slice(1), isSearched = true } = resource;
  const namesOf = (items: Item[]) => items.map((item) => item[nameField]).join(' ');

  beforeEach(() => app.production.knex(table).delete());

  it('shows each item as it reads alone, the newest first, on one page', async () => {
    const empty = {
      total: 0,
      per_page: 20,
      current_page: 1,
      last_page: 1,
      next_cursor: null,
      has_more: false,
    };
    expect((await client.get(path).expect(200)).body).toEqual({ data: [], meta: empty });
    await make(await app.client(['write'], 'sandbox'), resource);
    const made = await makeNamed(resource, 'A', 'B', 'C', 'D', 'E');
    const { data } = await page(resource);
    expect(namesOf(data)).toBe('E D C B A');
    for (const item of data) expect(asListed(resource, await read(client, resource, item.id))).toEqual(item);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((number) => page(resource, `per_page=2&page=${number}`)),
    );
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1, 0]);
    expect(pages.flatMap(({ data }) => idsOf(data))).toEqual(idsOf(made).toReversed());
    for (const [index, { meta }] of pages.entries()) {
      expect(meta).toMatchObject({ total: 5, per_page: 2, current_page: index + 1, last_page: 3 });
    }
    const links = pages[1]?.links ?? {};
    expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next', 'prev']);
    expect(linked(links.next).searchParams.get('page')).toBe('3');
    expect(links.next).toContain(`/v1${path}?`);
    await app.production.knex(table).update({ created_at: '2026-01-01T00:00:00Z' });
    expect(idsOf((await page(resource)).data)).toEqual(idsOf(made).sort().toReversed());
  });

  it('can be read by cursor without gaps or repeats while items are added', async () => {
    const made = await makeNamed(resource, 'A', 'B', 'C', 'D', 'E');
    const seen: string[] = [];
    for (let query = 'per_page=2'; ; ) {
      const { data, meta } = await page(resource, query);
      seen.push(...idsOf(data));
      await makeNamed(resource, 'New');
      if (meta.next_cursor === null) break;
      query = `per_page=2&cursor=${meta.next_cursor}`;
    }
    expect(seen).toEqual(idsOf(made).toReversed());
  });

  it('is sorted, and filtered by time with both ends included', async () => {
    for (const [name, created, updated] of [
      ['Émile', '2026-01-01', '2026-01-03'],
      ['Zoe', '2026-01-02', '2026-01-01'],
      ['Ada', '2026-01-03', '2026-01-02'],
    ] as const) {
      await makeNamed(resource, name);
      const times = { created_at: `${created}T12:00:00Z`, updated_at: `${updated}T12:00:00Z` };
      await app.production
        .knex(table)
        .where({ [nameField]: name })
        .update(times);
    }
    const sorts = { created_at: 'Émile Zoe Ada', updated_at: 'Zoe Ada Émile' };
    const byName = isSearched && { [nameField]: 'Ada Émile Zoe' };
    for (const [field, expected] of Object.entries({ ...sorts, ...byName })) {
      for (const [sort, names] of [
        [field, expected],
        [`-${field}`, expected.split(' ').toReversed().join(' ')],
      ]) {
        expect(namesOf((await page(resource, `sort=${sort}`)).data), sort).toBe(names);
        const first = await page(resource, `sort=${sort}&per_page=2`);
        const rest = await page(resource, `sort=${sort}&per_page=2&cursor=${first.meta.next_cursor}`);
        expect(namesOf([...first.data, ...rest.data]), sort).toBe(names);
      }
    }
    const noon = 'created_from=2026-01-02T12:00:00Z&created_to=2026-01-02T13:00:00%2B01:00';
    for (const [query, names] of [
      ['created_from=2026-01-02', 'Ada Zoe'],
      ['created_to=2026-01-02', 'Zoe Émile'],
      ['created_from=2026-01-02&created_to=2026-01-02', 'Zoe'],
      [noon, 'Zoe'],
      ['updated_from=2026-01-02T12:00:00.001Z', 'Émile'],
      ['updated_to=2026-01-01', 'Zoe'],
    ]) {
      expect(namesOf((await page(resource, query)).data), query).toBe(names);
    }
  });

  it('rejects wrong parameters and cursors', async () => {
    const code = 'invalid_parameter';
    const wrong = 'page=0&per_page=101&sort=colour&created_from=yesterday&updated_to=2026-02-30';
    const fields = await refusedFields(client.get(`${path}?${wrong}`), { status: 400, code });
    expect(fields).toEqual([...new URLSearchParams(wrong).keys()].sort());
    await expectRefusal(client.get(`${path}?colour=`), { status: 400, field: 'colour', code });
    const reversed = client.get(`${path}?created_from=2026-01-02&created_to=2026-01-01`);
    await expectRefusal(reversed, { status: 400, field: 'created_from', code });
    await makeNamed(resource, 'A', 'B');
    const { next_cursor: cursor } = (await page(resource, 'per_page=1')).meta;
    for (const query of ['cursor=x', `created_from=2026-01-01&cursor=${cursor}`]) {
      const refusal = { status: 400, field: 'cursor', code: 'invalid_cursor' };
      await expectRefusal(client.get(`${path}?${query}`), refusal);
    }
    await client.get(`${path}?page=1&cursor=${cursor}`).expect(400);
  });
});

describe.each(searched)('GET $path?search=', (resource) => {
  const { path, nameField, table = path.slice(1) } = resource;

  beforeEach(() => app.production.knex(table).delete());

  it('finds items by the beginnings of words, as soon as they are written', async () => {
    const [muller] = await makeNamed(resource, 'Anna Müller', 'Andrew Schmidt', 'Zoe');
    const count = async (search: string) => {
      const { data, meta } = await page(resource, `search=${encodeURIComponent(search)}`);
      expect(data).toHaveLength(meta.total);
      return [search, meta.total];
    };
    for (const [search, total] of [
      ['mull', 1],
      ['MÜLLER', 1],
      ['anna mul', 1],
      ['muller anna', 1],
      ['uller', 0],
      ['anna schmidt', 0],
      ['an', 2],
    ] as const) {
      expect(await count(search)).toEqual([search, total]);
    }
    await client.patch(`${path}/${muller?.id}`, { [nameField]: 'Okapi' }).expect(200);
    expect([await count('muller'), await count('okapi')]).toEqual([
      ['muller', 0],
      ['okapi', 1],
    ]);
    expect((await page(resource, 'search=okapi&sort=updated_at')).meta.total).toBe(1);
  });

  it('takes ten words, not counting repeated words and beginnings of others', async () => {
    const ten = 'anna MULLER one two three four five six seven eight';
    await makeNamed(resource, ten);
    for (const search of [ten, `${ten} Anna müll müller mü o, thr`]) {
      expect((await page(resource, `search=${encodeURIComponent(search)}`)).meta.total).toBe(1);
    }
    const eleven = client.get(`${path}?search=${encodeURIComponent(`${ten} nine`)}`);
    const body = await expectRefusal(eleven, { status: 400, field: 'search', code: 'invalid_parameter' });
    expect(body.errors?.search).toEqual([expect.stringContaining('at most 10 words')]);
  });
});
