/** Likely duplicates of leads and of contacts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { contacts, expectRefusal, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(async () => {
  for (const table of ['leads', 'contacts'] as const) await app.production.knex(table).delete();
});

type Group = { reason: string; total: number } & Record<string, { id: string }[]>;

describe.each([
  ['leads', leads as TestResource<{ id: string }>],
  ['contacts', contacts as TestResource<{ id: string }>],
])('GET /%s/duplicates', (name, resource) => {
  const { path, prefix } = resource;
  const add = (fields: object) => make(client, resource, fields);
  const read = async (query = ''): Promise<{ data: Group[]; next: string | null }> => {
    const { body } = await client.get(`${path}/duplicates?${query}`).expect(200);
    return { data: body.data, next: body.meta.next_cursor };
  };
  const found = async (query = '') => {
    const { data } = await read(query);
    return data.map(({ reason, total, [name]: members = [] }) => [
      reason,
      total,
      ...members.map(({ id }) => id),
    ]);
  };

  it('finds those with the same phone, name and company, or local part, ignoring case', async () => {
    const company = 'Analytical Engines';
    const one = await add({ name: 'One', phone: '+4915112345678' });
    const two = await add({ name: 'Two', phone: '+49 151 12345678' });
    const three = await add({ name: 'Ada Lovelace', company });
    const four = await add({ name: 'ADA lovelace', company: 'analytical engines' });
    await add({ name: 'Ada Lovelace' });
    await add({ name: 'Ada Lovelace' });
    const local = randomUUID();
    const five = await add({ name: 'Five', email: `${local}@example.com` });
    const six = await add({ name: 'Six', email: `${local.toUpperCase()}+news@example.net` });
    expect(await found()).toEqual([
      ['phone', 2, one.id, two.id],
      ['name_and_company', 2, three.id, four.id],
      ['email_local_part', 2, five.id, six.id],
    ]);
    expect(await found('reason=name_and_company')).toEqual([['name_and_company', 2, three.id, four.id]]);
    await client.post(`${path}/${one.id}/merge`, { [`${prefix}_id`]: two.id }).expect(200);
    expect(await found('reason=phone')).toEqual([]);
  });

  it('shows what tells that they are the same', async () => {
    await add({ phone: '+4915112345678' });
    const { id } = await add({ phone: '+4915112345678', company: 'Flight Research' });
    const { data } = await read('reason=phone');
    const { body } = await client.get(`${path}/${id}`).expect(200);
    const { name: own, email, phone, company, assigned_user_id, created_at } = body.data;
    expect(data[0]?.[name]?.[1]).toEqual({
      id,
      name: own,
      email,
      phone,
      company,
      assigned_user_id,
      created_at,
    });
  });

  it.each(['info', 'sales', 'OFFICE', 'no-reply', 'it', 'a', 'info+x'])(
    'ignores the local part %s',
    async (local) => {
      for (const host of ['example.com', 'example.net']) await add({ email: `${local}@${host}` });
      expect(await found()).toEqual([]);
    },
  );

  it('is paged, and its cursor has no personal data', async () => {
    for (let n = 0; n < 7; n += 1) {
      for (let twin = 0; twin < 2; twin += 1) await add({ email: uniqueEmail(), phone: `+491511234560${n}` });
    }
    const seen: string[] = [];
    let next: string | null = '';
    let pages = 0;
    for (; next !== null; pages += 1) {
      const page: Awaited<ReturnType<typeof read>> = await read(`per_page=2${next && `&cursor=${next}`}`);
      seen.push(...page.data.flatMap(({ [name]: members = [] }) => members.map(({ id }) => id)));
      next = page.next;
      if (next !== null) expect(Buffer.from(next, 'base64url').toString()).not.toContain('49151');
      // Others may come and go meanwhile.
      await add({});
    }
    expect(new Set(seen).size).toBe(14);
    expect(seen).toHaveLength(14);
    expect(pages).toBeGreaterThanOrEqual(4);
  });

  it('refuses a cursor of another list', async () => {
    for (let n = 0; n < 4; n += 1) await add({ phone: `+49151123456${n % 2}0` });
    const { next } = await read('per_page=1');
    const refusal = { status: 400, field: 'cursor', code: 'invalid_cursor' };
    await expectRefusal(client.get(`${path}/duplicates?reason=phone&cursor=${next}`), refusal);
    const other = path === '/leads' ? '/contacts' : '/leads';
    await expectRefusal(client.get(`${other}/duplicates?cursor=${next}`), refusal);
    for (const wrong of [
      'x',
      Buffer.from(`["production ${name} ","phone","99999999999999999999"]`).toString('base64url'),
    ])
      await expectRefusal(client.get(`${path}/duplicates?cursor=${wrong}`), refusal);
    await client.get(`${path}/duplicates`).expect(200);
    await (await app.client([`${name === 'leads' ? 'contacts' : 'leads'}:read`]))
      .get(`${path}/duplicates`)
      .expect(403);
  });

  it('stays bounded with a group of tens of thousands, shows ten and counts all', async () => {
    const values = { name: 'Test', phone: '+4915100000000' };
    const extra = name === 'leads' ? ', status, source' : '';
    const set = name === 'leads' ? ", 'new', 'api'" : '';
    await app.production.knex.raw(
      `insert into ?? (id, name, email, phone${extra})
      select new_uuid(), ?, 'x' || n || '-' || md5(n::text) || '@example.com', ?${set} from generate_series(1, 45000) as n`,
      [name, values.name, values.phone],
    );
    await add({ phone: '+4915100000001' });
    await add({ phone: '+4915100000001' });
    const groups: Group[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: Awaited<ReturnType<typeof read>> = await read(`reason=phone${next && `&cursor=${next}`}`);
      groups.push(...page.data);
      next = page.next;
    }
    expect(groups.map(({ total }) => total).toSorted()).toEqual([2, 45_000]);
    expect(groups.find(({ total }) => total > 2)?.[name]).toHaveLength(10);
    expect(await found('reason=name_and_company')).toEqual([]);
  });
});
