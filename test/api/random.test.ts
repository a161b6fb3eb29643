/** Any sequence of operations, some of them concurrent, leaves consistent data. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';

const RUNS = 200;
const SEED = 20261120;

let app: TestApp;
let client: TestClient;
/** Created ids by kind. Deleted ones stay, to be used again. */
const ids: Record<Kind, string[]> = { leads: [], contacts: [], content: [], users: [] };

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const kinds = ['leads', 'contacts', 'content', 'users'] as const;
type Kind = (typeof kinds)[number];

/** Few values, so that they collide; `nth` counts back from the newest id. */
const nth = fc.nat({ max: 5 });
const reference = fc.option(nth);
const email = fc.nat({ max: 20 }).map((n) => (n % 2 ? `P${n}@example.com` : `p${n + 1}@Example.com`));
const text = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('Ada', 'Grace', 'Émile Zola', '🎉') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '', 'a\u0000', 'x'.repeat(301)) },
);
const external = fc.option(fc.nat({ max: 20 }).map(String));
const status = fc.constantFrom('new', 'contacted', 'qualified', 'won', 'lost');

const person = { email, external_id: external, assigned_user_id: reference };
const fields = {
  leads: fc.record({ name: text, status, content_id: reference, ...person }, { requiredKeys: [] }),
  contacts: fc.record({ name: text, title: text, ...person }, { requiredKeys: [] }),
  content: fc.record(
    {
      title: text,
      type: fc.constantFrom('ebook', 'form'),
      slug: fc.constantFrom('a', 'b', 'ada', 'ada-2'),
      author_user_id: reference,
    },
    { requiredKeys: [] },
  ),
  users: fc.record({ name: text, email, active: fc.boolean() }, { requiredKeys: [] }),
} satisfies Record<Kind, fc.Arbitrary<object>>;

const required: Record<Kind, object> = {
  leads: { name: 'Lead', email: 'd@example.com' },
  contacts: { name: 'Contact' },
  content: { title: 'Piece', type: 'ebook' },
  users: { name: 'User', email: 'd@example.com' },
};

const operation = fc.oneof(
  ...kinds.flatMap((kind) => [
    fc.record({ verb: fc.constant('create' as const), kind: fc.constant(kind), body: fields[kind] }),
    fc.record({ verb: fc.constant('patch' as const), kind: fc.constant(kind), at: nth, body: fields[kind] }),
    fc.record({ verb: fc.constant('delete' as const), kind: fc.constant(kind), at: nth }),
    fc.record({ verb: fc.constant('list' as const), kind: fc.constant(kind), search: text }),
  ]),
  fc.record({ verb: fc.constantFrom('publish', 'unpublish', 'archive'), at: nth }),
  fc.record({ verb: fc.constant('convert' as const), at: nth, to: reference, status: fc.option(status) }),
  fc.record({
    verb: fc.constant('convert' as const),
    at: nth,
    to: fc.constant(null),
    status: fc.constant(null),
  }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const idOf = (kind: Kind, at: number) => ids[kind].at(-1 - at) ?? 'lead_01h455vb4pex5vsknk084sn02q';

const pointsAt = { assigned_user_id: 'users', author_user_id: 'users', content_id: 'content' } as const;

/** The body with ids where it has numbers. */
function resolve(body: object): object {
  const entries = Object.entries(body).map(([name, value]) => {
    const kind = pointsAt[name as keyof typeof pointsAt];
    return [name, kind !== undefined && typeof value === 'number' ? idOf(kind, value) : value];
  });
  return Object.fromEntries(entries);
}

async function perform(step: Operation): Promise<void> {
  const answer = await send(step);
  expect(answer.status, JSON.stringify([step, answer.body])).toBeLessThan(500);
  if (answer.status === 422) expect(Object.keys(answer.body.errors)).not.toEqual([]);
  if (answer.status === 201 && step.verb === 'create') ids[step.kind].push(answer.body.data.id);
  if (answer.status === 201 && step.verb === 'convert') ids.contacts.push(answer.body.data.contact.id);
}

function send(step: Operation) {
  switch (step.verb) {
    case 'create':
      return client.post(`/${step.kind}`, { ...required[step.kind], ...resolve(step.body) });
    case 'patch':
      return client.patch(`/${step.kind}/${idOf(step.kind, step.at)}`, resolve(step.body));
    case 'delete':
      return client.delete(`/${step.kind}/${idOf(step.kind, step.at)}`);
    case 'list':
      return client.get(`/${step.kind}?search=${encodeURIComponent(step.search)}&sort=-updated_at`);
    case 'convert':
      return client.post(`/leads/${idOf('leads', step.at)}/convert`, {
        ...(step.to !== null && { contact_id: idOf('contacts', step.to) }),
        ...(step.status !== null && { status: step.status }),
      });
    default:
      return client.post(`/content/${idOf('content', step.at)}/${step.verb}`);
  }
}

type Row = Record<string, string | number | null>;

/** Every row of the kind, as the API shows it. */
async function all(kind: Kind): Promise<Row[]> {
  const rows: Row[] = [];
  for (let query = 'per_page=100'; query !== ''; ) {
    const { body } = await client.get(`/${kind}?${query}`).expect(200);
    rows.push(...body.data);
    query = body.meta.next_cursor === null ? '' : `per_page=100&cursor=${body.meta.next_cursor}`;
    if (query === '') expect(body.meta.total).toBe(rows.length);
  }
  return rows;
}

function expectUnique(rows: Row[], field: string): void {
  const values = rows.map((row) => row[field]).filter((value) => value !== null);
  const folded = values.map((value) => (field === 'email' ? String(value).toLowerCase() : value));
  expect(new Set(folded).size, `${field} is unique`).toBe(folded.length);
}

async function expectSense(): Promise<void> {
  const [leads, contacts, content, users] = await Promise.all(kinds.map(all));
  if (!leads || !contacts || !content || !users) throw new Error('A list is missing.');
  for (const field of ['id', 'email', 'external_id'])
    for (const rows of [leads, contacts]) expectUnique(rows, field);
  expectUnique(users, 'email');
  expectUnique(content, 'slug');
  const known = new Set([...contacts, ...content, ...users].map(({ id }) => id));
  for (const row of [...leads, ...contacts, ...content]) {
    for (const field of ['contact_id', 'content_id', 'assigned_user_id', 'author_user_id']) {
      if (row[field] != null) expect(known, `${row.id} ${field}`).toContain(row[field]);
    }
  }
  for (const lead of leads) if (lead.lost_reason !== null) expect(lead.status).toBe('lost');
  for (const { status, published_at, archived_at } of content) {
    if (status === 'published') expect(published_at).not.toBeNull();
    expect(archived_at !== null).toBe(status === 'archived');
  }
}

describe('any sequence of operations', () => {
  it('ends in no 5xx, breaks no uniqueness, and leaves nothing that points at nothing', async () => {
    const turn = fc.array(operation, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
        for (const steps of turns) await Promise.all(steps.map(perform));
        await expectSense();
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    for (const kind of kinds) expect(ids[kind].length, kind).toBeGreaterThan(15);
  }, 120_000);
});
