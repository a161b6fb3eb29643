/** Filters that leads and contacts share, on lists and exports. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { contacts, expectRefusal, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

type Person = TestResource<{ id: string; name: string }>;

describe.each([leads, contacts] as Person[])('GET $path', (resource) => {
  const { path, prefix } = resource;

  /** The names that the list shows, by name, after checking that the total and the export agree. */
  async function namesOf(query: Record<string, string>): Promise<string> {
    const parameters = new URLSearchParams({ ...query, sort: 'name' });
    const { body } = await client.get(`${path}?${parameters}`).expect(200);
    const names = body.data.map(({ name }: { name: string }) => name);
    expect(body.meta.total).toBe(names.length);
    const { text } = await client
      .get(`${path}/export?${parameters}`)
      .set('Accept', 'application/x-ndjson')
      .expect(200);
    const exported = text.split('\n').filter(Boolean);
    expect(exported.map((line) => JSON.parse(line).name)).toEqual(names);
    const newest = await client.get(`${path}?${new URLSearchParams(query)}`).expect(200);
    expect(newest.body.meta.total).toBe(names.length);
    return names.join('');
  }

  describe('?company=', () => {
    const company = `École & Söhne, ${randomUUID()}`;

    beforeAll(async () => {
      await make(client, resource, { name: 'A', company });
      await make(client, resource, { name: 'B', company: company.toUpperCase() });
      await make(client, resource, { name: 'C', company: `${company} Ltd` });
      await make(client, resource, { name: 'D' });
    });

    it('finds the whole name, in upper or lower case', async () => {
      expect(await namesOf({ company })).toBe('AB');
      expect(await namesOf({ company: company.toLowerCase() })).toBe('AB');
      expect(await namesOf({ company: `${company} LTD` })).toBe('C');
      for (const other of [company.slice(0, -1), '%', '_', company.replace('É', 'E'), "' or true --"]) {
        expect(await namesOf({ company: other })).toBe('');
      }
    });

    it('finds those without a company by none', async () => {
      const { body } = await client.get(`${path}?company=none&per_page=100`).expect(200);
      const companies = body.data.map((item: { company: string | null }) => item.company);
      expect(companies).toContain(null);
      expect(new Set(companies).size).toBe(1);
      expect(body.meta.total).toBe(companies.length);
    });

    it.each(['x'.repeat(201), 'a%00b'])('rejects %j', async (value) => {
      for (const list of [path, `${path}/export`]) {
        const refused = client.get(`${list}?company=${value}`);
        await expectRefusal(refused, { status: 400, field: 'company', code: 'invalid_parameter' });
      }
    });
  });

  describe('?ids=', () => {
    it('finds those that exist, in the order of the list, each once', async () => {
      const made = [];
      for (const name of ['B', 'A', 'C']) made.push(await make(client, resource, { name, tags: ['ids'] }));
      const [b, a, c] = made.map(({ id }) => id) as [string, string, string];
      const unknown = toId(prefix as 'lead', newUuid());
      expect(await namesOf({ ids: [b, unknown, a, b].join() })).toBe('AB');
      expect(await namesOf({ ids: [b, c].join(), tag: 'ids', company: 'none' })).toBe('BC');
      expect(await namesOf({ ids: unknown })).toBe('');
      const newest = await client.get(`${path}?ids=${a}&ids=${c}&ids=${b}`).expect(200);
      expect(newest.body.data.map(({ id }: { id: string }) => id)).toEqual([c, a, b]);
      const first = await client.get(`${path}?ids=${a},${b},${c}&per_page=2`).expect(200);
      expect(first.body.meta.total).toBe(3);
      const { next_cursor } = first.body.meta;
      const rest = await client
        .get(`${path}?ids=${a},${b},${c}&per_page=2&cursor=${next_cursor}`)
        .expect(200);
      expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual([b]);
    });

    it('takes a hundred, and not one of the other environment', async () => {
      const tester = await app.client(undefined, 'sandbox');
      const other = await make(tester, resource);
      const unknown = Array.from({ length: 99 }, () => toId(prefix as 'lead', newUuid()));
      const { body } = await client.get(`${path}?per_page=100&ids=${[...unknown, other.id]}`).expect(200);
      expect(body.meta.total).toBe(0);
    });

    it.each([
      [
        'a hundred and one',
        () => Array.from({ length: 101 }, () => toId(prefix as 'lead', newUuid())).join(),
      ],
      ['an id of another kind', () => toId('user', newUuid())],
      ['an empty one', () => `${toId(prefix as 'lead', newUuid())},`],
      ['an id of the wrong length', () => toId(prefix as 'lead', newUuid()).slice(0, -1)],
    ])('rejects %s', async (_what, ids) => {
      for (const list of [path, `${path}/export`]) {
        const refused = client.get(`${list}?ids=${ids()}`);
        await expectRefusal(refused, { status: 400, field: 'ids', code: 'invalid_parameter' });
      }
    });
  });
});
