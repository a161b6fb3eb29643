/** A client that follows the log from its beginning has the same data as the tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Event, follow, listAll, replay } from '../../support/events.ts';

const SEED = 20261120;
const WRITERS = 6;
const STEPS = 40;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const kinds = { lead: '/leads', contact: '/contacts', content: '/content', user: '/users' } as const;
type Kind = keyof typeof kinds;

/** Everything that was created, including deleted resources. Writers compete for the newest. */
const made: Record<Kind, string[]> = { lead: [], contact: [], content: [], user: [] };
const pick = (kind: Kind, back: number) => made[kind].at(-1 - back) ?? 'lead_01h455vb4pex5vsknk084sn02q';

const text = fc.constantFrom('Ada', 'Grace', 'Émile', '🎉 "x" \\ y');
const nth = fc.nat({ max: 7 });
const email = fc.nat({ max: 400 }).map((n) => `p${n}@example.com`);
const status = fc.constantFrom('new', 'contacted', 'qualified', 'won', 'lost');
const kind = fc.constantFrom<Kind[]>('lead', 'lead', 'lead', 'contact', 'content', 'user');

const bodies: Record<Kind, fc.Arbitrary<Record<string, unknown>>> = {
  lead: fc.record({ name: text, email, status, tags: fc.array(text), user: nth, content: nth }),
  contact: fc.record({ name: text, email, title: fc.option(text), user: nth }),
  content: fc.record({ title: text, type: fc.constantFrom('ebook', 'form'), user: nth }),
  user: fc.record({ name: text, email, active: fc.boolean() }),
};

const step = kind.chain((of) =>
  fc.record({
    kind: fc.constant(of),
    verb: fc.constantFrom('create', 'create', 'patch', 'patch', 'patch', 'act', 'act', 'delete'),
    back: nth,
    body: bodies[of],
    status,
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The body with ids for `user` and `content`, if it has them. */
function resolve(of: Kind, { user, content, ...fields }: Record<string, unknown>): object {
  const person = of === 'content' ? 'author_user_id' : 'assigned_user_id';
  return {
    ...fields,
    ...(typeof user === 'number' && made.user.length > user && { [person]: pick('user', user) }),
    ...(typeof content === 'number' &&
      made.content.length > content && { content_id: pick('content', content) }),
  };
}

async function perform({ kind: of, verb, back, body, status: to }: Step): Promise<void> {
  const path = `${kinds[of]}/${pick(of, back)}`;
  const answer = await {
    create: () => client.post(kinds[of], resolve(of, body)),
    patch: () => client.patch(path, resolve(of, body)),
    delete: () => client.delete(path),
    act: () =>
      of === 'content'
        ? client.post(`${path}/${['publish', 'unpublish', 'archive'][back % 3]}`)
        : client.post(`/leads/${pick('lead', back)}/convert`, to === 'lost' ? {} : { status: to }),
  }[verb as 'create' | 'patch' | 'delete' | 'act']();
  expect(answer.status, JSON.stringify([verb, of, answer.body])).toBeLessThan(500);
  if (verb === 'create' && answer.status === 201) made[of].push(answer.body.data.id);
  if (verb === 'act' && answer.body.data?.contact_created) made.contact.push(answer.body.data.contact.id);
}

/** Versions of a resource increase by one, so a missing version would be a missed change. */
function expectNoGaps(events: readonly Event[]): void {
  const versions = new Map<string, number>();
  for (const { type, data } of events) {
    const { id, version } = data.object as { id: string; version?: number };
    if (!/\.(created|updated)$/.test(type)) continue;
    expect(version, `${type} of ${id}`).toBe((versions.get(id) ?? 0) + 1);
    versions.set(id, version as number);
  }
}

describe('a replay of GET /events after random writes by several concurrent clients', () => {
  it('rebuilds every table exactly, whether it is read during the writes or afterwards', async () => {
    // Which content the writers use, and whether they publish any, depends on their timing.
    const { body } = await client.post('/content', { title: 'Ada', type: 'ebook' }).expect(201);
    for (const act of ['publish', 'unpublish', 'archive'])
      await client.post(`/content/${body.data.id}/${act}`).expect(200);
    const steps = fc.sample(step, { numRuns: WRITERS * STEPS, seed: SEED });
    let writing = true;
    const live: Event[] = [];
    let cursor = '';
    const read = async (limit: string) => {
      const walk = await follow(client, { per_page: limit, ...(cursor !== '' && { cursor }) });
      live.push(...walk.events);
      cursor = walk.cursor;
    };
    const reader = async () => {
      for (; writing; await sleep(10)) await read('9');
    };
    const writer = async (n: number) => {
      for (const one of steps.slice(n * STEPS, (n + 1) * STEPS)) await perform(one);
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n))).finally(() => {
      writing = false;
    });
    await Promise.all([writers, reader()]);
    await read('500');

    const { events } = await follow(client, { per_page: '500' });
    expect(live.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const [of, path] of Object.entries(kinds)) {
      const table = await listAll(client, path);
      expect(replay(events, of), `replay of ${path}`).toEqual(table);
      expect(replay(live, of), `what was read of ${path} meanwhile`).toEqual(table);
      expect(table.size, path).toBeGreaterThan(1);
    }
    expectNoGaps(live);
    const types = new Set(events.map(({ type }) => type));
    expect(types.size, [...types].join()).toBeGreaterThan(14);
  }, 60_000);
});
