/** Lists are filtered by the client's own keys: `metadata[plan]=gold`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { linked, parseLinks } from '../support/lists.ts';
import { contacts, content, expectRefusal, leads, make, type TestResource } from '../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const odd = 'a[b] & "c" = ü+1%';

describe.each([leads, contacts, content] as TestResource[])('GET $path filtered by metadata', (resource) => {
  const { path, nameField } = resource;

  beforeAll(async () => {
    const all: [string, Record<string, string>][] = [
      ['A', { plan: 'gold', seats: '5', trial: 'true' }],
      ['B', { plan: 'gold', seats: '50' }],
      ['C', { plan: 'Gold', note: '' }],
      ['D', { gold: 'plan', [odd]: odd }],
      ['E', {}],
    ];
    for (const [name, metadata] of all) await make(client, resource, { [nameField]: name, metadata });
  });

  async function found(query: string) {
    const { body } = await client.get(`${path}?sort=${nameField}&${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map((item: Record<string, string>) => item[nameField]).join('');
  }

  it.each([
    ['metadata[plan]=gold', 'AB'],
    ['metadata%5Bplan%5D=gold', 'AB'],
    ['metadata[plan]=Gold', 'C'],
    ['metadata[plan]=gol', ''],
    ['metadata[plan]=gold,Gold', ''],
    ['metadata[Plan]=gold', ''],
    ['metadata[gold]=plan', 'D'],
    ['metadata[plan]=gold&metadata[seats]=5', 'A'],
    ['metadata[seats]=50&metadata[plan]=gold', 'B'],
    ['metadata[plan]=Gold&metadata[seats]=5', ''],
    ['metadata[trial]=true', 'A'],
    ['metadata[note]=', 'C'],
    ['metadata[note]', 'C'],
    [`metadata[${encodeURIComponent(odd)}]=${encodeURIComponent(odd)}`, 'D'],
    ['metadata[__proto__]=x', ''],
    ['metadata[plan]=gold&created_from=2000-01-01', 'AB'],
    ['metadata[plan]=gold&tag=nobody', ''],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toBe(expected);
  });

  it('together with search', async () => {
    expect(await found('metadata[plan]=gold&search=a')).toMatch(/^A/);
    expect(await found('metadata[plan]=gold&search=e')).not.toContain('E');
  });

  it('is found by the next request after a change', async () => {
    const { id } = await make(client, resource, { metadata: { stage: 'one' } });
    await client.patch(`${path}/${id}`, { metadata: { stage: 'two' } }).expect(200);
    const ids = async (stage: string) => {
      const { body } = await client.get(`${path}?metadata[stage]=${stage}`).expect(200);
      return body.data.map((item: { id: string }) => item.id);
    };
    expect([await ids('one'), await ids('two')]).toEqual([[], [id]]);
    await client.delete(`${path}/${id}`).expect(204);
    expect(await ids('two')).toEqual([]);
  });

  it('goes on by cursors and links that belong to the filter', async () => {
    const query = 'metadata[seats]=50&metadata[plan]=gold&per_page=1';
    await make(client, resource, { metadata: { plan: 'gold', seats: '50' } });
    const first = await client.get(`${path}?${query}`).expect(200);
    expect(first.body.meta.total).toBe(2);
    const { next = '' } = parseLinks(first.headers.link ?? '');
    expect(linked(next).searchParams.get('metadata[plan]')).toBe('gold');
    const followed = await client.get(`${path}${linked(next).search}`).expect(200);
    const { next_cursor: cursor } = first.body.meta;
    // The order of the keys means nothing.
    const same = 'per_page=1&metadata[plan]=gold&metadata[seats]=50';
    const second = await client.get(`${path}?${same}&cursor=${cursor}`).expect(200);
    expect(second.body.data).toEqual(followed.body.data);
    expect(second.body.data[0].id).not.toBe(first.body.data[0].id);
    for (const other of ['metadata[plan]=gold', 'metadata[plan]=gold&metadata[seats]=5', '']) {
      const { body } = await client.get(`${path}?${other}&cursor=${cursor}`).expect(400);
      expect(body.code).toBe('invalid_cursor');
    }
  });

  it.each([
    ['metadata=gold', 'metadata', /must name a key, such as metadata\[key\]=text/],
    ['metadata={"plan":"gold"}', 'metadata', /must name a key/],
    ['metadata[]=gold', 'metadata', /has an invalid key: it must not be empty/],
    ['metadata[plan=gold', 'metadata[plan', /is not a parameter/],
    ['metadata[plan]x=gold', 'metadata[plan]x', /is not a parameter/],
    ['metadata[plan]=a&metadata[plan]=b', 'metadata[plan]', /must be given only once/],
    ['metadata[plan]=%00', 'metadata', /must not contain the character NUL/],
    ['metadata[%00]=gold', 'metadata', /must not contain the character NUL/],
    [
      `metadata[${'k'.repeat(41)}]=gold`,
      'metadata',
      /has an invalid key: it must have at most 40 characters/,
    ],
    [`metadata[plan]=${'x'.repeat(2_001)}`, 'metadata', /must have at most 2000 characters/],
    [
      Array.from({ length: 11 }, (_, n) => `metadata[${n}]=x`).join('&'),
      'metadata',
      /must have at most 10 keys/,
    ],
    ['metadata[plan]=gold&plan=gold', 'plan', /is not a parameter/],
    ['tag[plan]=gold', 'tag[plan]', /is not a parameter/],
  ])('rejects %s', async (query, field, message) => {
    const refused = client.get(`${path}?${query}`);
    const { errors } = await expectRefusal(refused, { status: 400, field, code: 'invalid_parameter' });
    expect(errors?.[field]).toEqual([expect.stringMatching(message)]);
  });
});

it('is rejected by lists without metadata', async () => {
  const refused = client.get('/webhooks?metadata[plan]=gold');
  await expectRefusal(refused, { status: 400, field: 'metadata[plan]', code: 'invalid_parameter' });
});
