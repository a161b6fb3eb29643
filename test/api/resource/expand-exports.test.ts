/** What `expand` adds to exports, and how such a file is imported. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExpandWorld, type ExpandWorld, type Item } from '../../support/expand.ts';
import { exportRows, fetchExport, parseCsv } from '../../support/exports.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { importFile } from '../../support/imports.ts';

let world: ExpandWorld;

beforeAll(async () => {
  world = await createExpandWorld();
});

afterAll(() => world.app.close());

async function download(path: string, type = 'text/csv'): Promise<string> {
  return (await fetchExport(world.client, path, type)).text();
}

describe.each(['leads', 'contacts', 'sales-cycles'] as const)('An export of %s', (name) => {
  it('as NDJSON has the same as a single read', async () => {
    const { full, empty, expand } = world[name];
    const rows = await exportRows<Item>(world.client, `/${name}/export?expand=${expand}`);
    for (const id of [full, empty]) {
      const one = await world.readOne(`/${name}/${id}?expand=${expand}`);
      expect(rows.find((row) => row.id === id)).toEqual(one);
    }
  });

  it('as CSV has a column beside the id for each other member', async () => {
    const { full, empty, expand, added, nothing } = world[name];
    const [plain = []] = parseCsv(await download(`/${name}/export`));
    const [columns = [], ...rows] = parseCsv(await download(`/${name}/export?expand=${expand}`));
    const beside = (column: string) => {
      const own = expand.find((each) => column === `${each}_id`);
      const members = own === 'content' ? ['title', 'type', 'url'] : ['name', 'email'];
      return own === undefined ? [column] : [column, ...members.map((member) => `${own}.${member}`)];
    };
    expect(columns).toEqual(plain.flatMap(beside));
    for (const [id, more] of [[full, added] as const, [empty, nothing] as const]) {
      const row = rows.find(([own]) => own === id);
      for (const column of columns.filter((each) => expand.includes(each.split('.')[0] ?? ''))) {
        const [field = '', member = ''] = column.split('.');
        const value = (more[field] as Item | null)?.[member] ?? '';
        // Spreadsheets would run it as a formula.
        expect(row?.[columns.indexOf(column)]).toBe(value === '=Ada' ? "'=Ada" : value);
      }
    }
  });

  it('has it in every row, however many there are', async () => {
    const { expand } = world[name];
    const { client, userId } = world;
    const of = name === 'contacts' ? 'contacts' : 'leads';
    const count = 230;
    const people = Array.from({ length: count }, () => ({
      name: 'Many',
      email: uniqueEmail(),
      tags: [name],
      assigned_user_id: userId,
    }));
    for (let from = 0; from < count; from += 100) {
      const batch = { items: people.slice(from, from + 100) };
      await client.post(`/${of}/batch/create`, batch).expect(200);
    }
    const rows = await exportRows<Item>(client, `/${name}/export?tag=${name}&expand=${expand}`);
    expect(rows).toHaveLength(count);
    expect(rows.filter((row) => (row.assigned_user as Item | null)?.id !== userId)).toEqual([]);
  });
});

describe('The columns of a CSV file', () => {
  it.each([
    [
      'assigned_user_id,name',
      'assigned_user',
      'id,assigned_user_id,assigned_user.name,assigned_user.email,name',
    ],
    ['name', 'contact,content', 'id,name,contact.name,contact.email,content.title,content.type,content.url'],
    ['content_id,id', 'content', 'content_id,content.title,content.type,content.url,id'],
  ])('with fields=%s and expand=%s are %s', async (fields, expand, columns) => {
    const text = await download(`/leads/export?tag=nobody&fields=${fields}&expand=${expand}`);
    expect(text).toBe(`${columns}\r\n`);
  });
});

describe('An export with expand that is imported', () => {
  describe.each(['text/csv', 'application/x-ndjson'])('as %s', (type) => {
    it.each([
      ['leads', 'external_id=own-1', ''],
      ['contacts', 'external_id=own-1', '&match=external_id'],
    ] as const)('changes no %s, and is in no doubt', async (name, filter, options) => {
      const { full, expand } = world[name];
      const before = await world.readOne(`/${name}/${full}`);
      const file = await download(`/${name}/export?${filter}&expand=${expand}`, type);
      expect(file).toContain('Grace Hopper');
      const query = `resource=${name}&on_duplicate=update${options}`;
      const done = await importFile(world.app, world.client, file, query);
      expect(done).toMatchObject({ status: 'completed', doubts: [], warnings: [] });
      expect(done.counts).toMatchObject({ unchanged: 1, failed: 0, warned: 0 });
      const unused = done.unused_columns.map(({ column }) => column.split('.')[0] ?? '');
      expect(unused.filter((column) => expand.includes(column))).toEqual([]);
      expect(await world.readOne(`/${name}/${full}`)).toEqual(before);
    });
  });

  it('is recognized without its own id, by the ids of the others', async () => {
    const path = '/leads/export?external_id=own-1&fields=name,email,contact_id,assigned_user_id';
    const file = await download(`${path}&expand=contact,assigned_user`);
    const withoutId = file.replaceAll(/^(?:id|lead_\w+),/gm, '');
    expect(withoutId).toMatch(/^name,email,contact_id,contact\.name,contact\.email,assigned_user_id,/);
    const done = await importFile(world.app, world.client, withoutId, 'on_duplicate=update');
    expect(done).toMatchObject({ doubts: [], counts: { unchanged: 1, warned: 0 } });
    expect(done.mapping).toMatchObject({ 'contact.email': null, 'assigned_user.name': null });
    expect(done.unused_columns.map(({ column }) => column)).not.toContain('contact.email');
  });

  it('is not taken for the file of somebody else with such columns', async () => {
    const file = `contact.name,contact.email\nZoe,${uniqueEmail()}\n`;
    const { mapping, counts } = await importFile(world.app, world.client, file);
    expect(mapping).toEqual({ 'contact.name': 'name', 'contact.email': 'email' });
    expect(counts).toMatchObject({ created: 1 });
  });
});
