import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { codePoint } from '../../support/hostile.ts';
import { insertLeads, leadsPath, listLeads } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;
/** A cursor of `/leads?per_page=2`, and its decoded parts. */
let cursor: string;
let parts: unknown[];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  await insertLeads(
    app.production.knex,
    Array.from({ length: 6 }, (_, index) => ({ name: `Lead ${index}`, company: 'Acme', tags: ['a'] })),
  );
  cursor = await cursorOf({});
  parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
});

afterAll(() => app.close());

async function cursorOf(query: Record<string, string>): Promise<string> {
  const { meta } = await listLeads(client, { ...query, per_page: 2 });
  if (meta.next_cursor === null) throw new Error('There is no next page.');
  return meta.next_cursor;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function expectRefused(query: Record<string, string>): Promise<void> {
  const { body } = await client.get(leadsPath(query)).expect(400);
  expect(body).toMatchObject({ code: 'invalid_cursor', errors: { cursor: [expect.any(String)] } });
}

describe('GET /leads?cursor=', () => {
  it('rejects page beside it', async () => {
    const { body } = await client.get(leadsPath({ cursor, page: '1' })).expect(400);
    expect(body.errors).toEqual({ page: [expect.stringContaining('cursor')] });
  });

  it.each(['x', 'null', '....', 'eyJ', '%00', '🙂', 'bnVsbA', 'e30', 'W10', 'MQ', '9'.repeat(1000)])(
    'refuses garbage: %s',
    async (garbage) => {
      await expectRefused({ cursor: garbage });
    },
  );

  it('rejects a cursor that was cut off anywhere', async () => {
    for (let length = 1; length < cursor.length; length += 1) {
      await expectRefused({ cursor: cursor.slice(0, length) });
    }
  });

  it('rejects a cursor of another list: other filters, another search or another order', async () => {
    const others: Record<string, string>[] = [
      { status: 'new' },
      { search: 'acme' },
      { tag: 'a' },
      { sort: 'created_at' },
      { sort: 'name' },
    ];
    for (const other of others) {
      await expectRefused({ ...other, cursor });
      await expectRefused({ cursor: await cursorOf(other) });
    }
    await expectRefused({ search: 'lead', cursor: await cursorOf({ search: 'acme' }) });
    await client.get(leadsPath({ sort: '-created_at', cursor })).expect(200);
  });

  it.each([
    [
      'the moment',
      0,
      [null, 1, {}, [], '', 'now', 'infinity', 'x', '2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
    ],
    [
      'the moment',
      0,
      ['294277-01-01T00:00:00.000Z', '+294277-01-01T00:00:00.000Z', '2026-01-01', '2026-01-01T00:00:00\0Z'],
    ],
    [
      'the id',
      1,
      [
        null,
        1,
        {},
        [],
        '',
        'x',
        '\0',
        '00000000-0000-0000-0000-00000000000g',
        'lead_01h455vb4pex5vsknk084sn02q',
      ],
    ],
    ['the page', 2, [null, '1', {}, [], 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 2_147_483_648]],
    ['the list', 3, [null, 1, {}, [], '', 'x', '\0']],
    ['the filters', 4, [null, 1, {}, [], '', 'x', '\0']],
  ])('rejects well-formed JSON with another value for %s', async (_what, index, values) => {
    for (const value of values) await expectRefused({ cursor: encode(parts.with(index, value)) });
  });

  it('refuses NUL in a text that it stands at', async () => {
    const byName: unknown[] = JSON.parse(
      Buffer.from(await cursorOf({ sort: 'name' }), 'base64url').toString(),
    );
    await client.get(leadsPath({ sort: 'name', cursor: encode(byName.with(0, 'Lead')) })).expect(200);
    await expectRefused({ sort: 'name', cursor: encode(byName.with(0, 'Le\0ad')) });
    await client.get(leadsPath({ sort: 'name', cursor: encode(byName.with(0, '\ud800')) })).expect(200);
  });

  it.each(['-created_at', 'name'])('never fails on a mutation of a cursor of sort=%s', async (sort) => {
    const valid = await cursorOf({ sort });
    const json = Buffer.from(valid, 'base64url').toString();
    let refused = 0;
    /** Replaces, removes or adds some characters in the base64 or in the JSON inside. */
    const mutation = fc.record({
      inside: fc.boolean(),
      at: fc.nat({ max: json.length }),
      removed: fc.nat({ max: 5 }),
      added: fc.string({ unit: codePoint, maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ inside, at, removed, added }) => {
        const text = inside ? json : valid;
        const mutated = text.slice(0, at) + added + text.slice(at + removed);
        const sent = inside ? Buffer.from(mutated).toString('base64url') : mutated;
        const { status, body } = await client.get(leadsPath({ sort, cursor: sent || 'x' }));
        expect([200, 400]).toContain(status);
        if (status === 400) expect(Object.keys(body.errors)).toEqual(['cursor']);
        if (status === 400) refused += 1;
      }),
      { numRuns: 100 },
    );
    expect(refused).toBeGreaterThan(20);
  });
});
