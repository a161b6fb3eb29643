/** Whatever stands in the optional fields of a payload, it makes a lead. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, fullMapping, leadsOf, makeHook, notesAbout, send } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const values: unknown[] = [
  null,
  true,
  false,
  0,
  -1.5e300,
  9007199254740993n,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u200b\ufeff',
  'N/A',
  '-',
  '12 ab',
  '1'.repeat(10_000),
  'x'.repeat(10_000),
  '😀'.repeat(3_000),
  'https://example.com/?a=b&c=<script>alert(1)</script>',
  "'; drop table leads; --",
  '=HYPERLINK("http://example.com")',
  '{"name": "Eve"}',
  '[1, 2]',
  [],
  [[]],
  {},
  ['a', 'b'],
  [null, {}, 'a', 1],
  { a: { b: 'c' } },
  { toString: 'x', constructor: 'y', __proto__: 'z', length: -1 },
  Array.from({ length: 500 }, (_, n) => `tag ${n}`),
  Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key ${n}`, 'x'.repeat(100)])),
  '2027-01-31',
  '99999999999999.99',
  'lost',
  'won',
  'EUR',
  'ada@example.org; bob@example.org',
];

const optional = Object.entries(fullMapping).flatMap(([field, pointer]) =>
  ['name', 'email'].includes(field) ? [] : [pointer.slice(1)],
);

it.each(values.map((value, index) => [index, value] as const))('value %i', async (_index, value) => {
  const hook = await makeHook(client, { mapping: fullMapping, default_country: 'DE', locale: 'de' });
  for (const name of ['Ada Lovelace', value]) {
    const form = { ...formInput(), name, ...Object.fromEntries(optional.map((field) => [field, value])) };
    const body = JSON.stringify(form, (_key, member) => (typeof member === 'bigint' ? `${member}` : member));
    const answer = await send(app, hook, body).type('application/json').expect(202);
    if (name === 'Ada Lovelace') expect(answer.body.data.status).toBe('created');
    const [lead] = await leadsOf(client, form.email);
    expect(lead === undefined).toBe(answer.body.data.status === 'rejected');
    if (lead !== undefined) expect((await notesAbout(client, lead.id)).length).toBeLessThan(2);
    await client
      .get(`${hook.path}/deliveries/${answer.body.data.delivery_id}`)
      .expect(200)
      .expect(({ body: { data } }) => expect(data.warnings.length).toBeLessThanOrEqual(100));
    const again = await client
      .post(`${hook.path}/deliveries/${answer.body.data.delivery_id}/reprocess`)
      .expect(200);
    expect(again.body.data.status).toBe(lead === undefined ? 'rejected' : 'merged');
    if (lead !== undefined) expect((await notesAbout(client, lead.id)).length).toBeLessThan(2);
  }
});
