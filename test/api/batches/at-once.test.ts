/** Concurrent batches with the same emails in any order, and single requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 8;
const COUNT = 60;

let app: TestApp;
let client: TestClient;
let log: string[];
let deadlocks: () => Promise<number>;

beforeAll(async () => {
  log = [];
  app = await startTestApp({ log: (line) => log.push(line) });
  client = await app.client();
  deadlocks = async () => {
    await app.production.knex.raw('select pg_stat_force_next_flush()');
    const [row] = await app.production
      .knex('pg_stat_database')
      .whereRaw('datname = current_database()')
      .select('deadlocks');
    return Number(row.deadlocks);
  };
});

afterAll(() => app.close());

interface Answer {
  status: number;
  body: { data: { status: string; id?: string; code?: string }[] };
}

const item = (round: string, index: number) => ({
  name: `Ada ${index}`,
  email: `${index}@${round}.example.com`,
  external_id: `${round} ${index}`,
});
const shuffled = <Item>(items: readonly Item[]) =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

describe.each(['leads', 'contacts'])('the same emails in several concurrent batches of %s', (kind) => {
  let before = 0;

  beforeEach(async () => {
    before = await deadlocks();
  });

  /** Each item is in the table once. */
  async function expectEachOnce(round: string): Promise<void> {
    const rows = await app.production.knex(kind).where('email', 'like', `%@${round}.example.com`);
    expect(rows).toHaveLength(COUNT);
  }

  it('creates each email once, without a deadlock', async () => {
    for (let at = 0; at < ROUNDS; at += 1) {
      const round = `create-${at}`;
      const items = Array.from({ length: COUNT }, (_, index) => item(round, index));
      const orders = [items, items.toReversed(), shuffled(items)];
      const batches = orders.map((order) => client.post(`/${kind}/batch/create`, { items: order }));
      const singles = shuffled(items)
        .slice(0, 10)
        .map((one) => client.post(`/${kind}`, one));
      const answers = await Promise.all(batches.map((batch) => batch.then((answer) => answer as Answer)));
      const alone = await Promise.all(singles);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const results = answers.flatMap(({ body }) => body.data);
      const created = results.filter(({ status }) => status === 'created').length;
      expect(created + alone.filter(({ status }) => status === 201).length, round).toBe(COUNT);
      for (const { status, code } of results) {
        if (status !== 'created')
          expect({ status, code }).toEqual({ status: 'failed', code: 'duplicate_email' });
      }
      await expectEachOnce(round);
    }
    expect(await deadlocks()).toBe(before);
  });

  it.each(['email', 'external_id'])(
    'upserts by %s: one batch creates each, the others change it, without a deadlock',
    async (match) => {
      for (let at = 0; at < ROUNDS; at += 1) {
        const round = `${match.replace('_', '-')}-${at}`;
        const items = Array.from({ length: COUNT }, (_, index) => item(round, index));
        const orders = [items, items.toReversed(), shuffled(items)];
        const batches = orders.map((order, which) =>
          client.post(`/${kind}/batch/upsert`, {
            match,
            items: order.map((one) => ({ ...one, company: `Company ${which}` })),
          }),
        );
        const puts = shuffled(items)
          .slice(0, 10)
          .map(({ external_id, ...one }) => client.patch(`/${kind}/external/${external_id}`, one));
        const answers = await Promise.all(batches.map((batch) => batch.then((answer) => answer as Answer)));
        const alone = await Promise.all(puts);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        const results = answers.flatMap(({ body }) => body.data);
        const created = results.filter(({ status }) => status === 'created').length;
        expect(created + alone.filter(({ status }) => status === 201).length, round).toBe(COUNT);
        expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
        expect(new Set(results.map(({ id }) => id)).size).toBe(COUNT);
        await expectEachOnce(round);
      }
      expect(await deadlocks()).toBe(before);
    },
  );

  it('updates in any order, with concurrent patches and deletions: nothing is lost, without a deadlock', async () => {
    for (let at = 0; at < ROUNDS; at += 1) {
      const items = Array.from({ length: COUNT }, (_, index) => item(`update-${at}`, index));
      const made: Answer = await client.post(`/${kind}/batch/create`, { items }).expect(200);
      const ids = made.body.data.map(({ id }) => id as string);
      const [kept, gone] = [ids.slice(5), ids.slice(0, 5)];
      const update = (order: readonly string[], key: string) =>
        client.post(`/${kind}/batch/update`, {
          items: order.map((id) => ({ id, patch: { metadata: { [key]: 'x' } } })),
        });
      const changes = [
        update(ids, 'a'),
        update(ids.toReversed(), 'b'),
        update(shuffled(ids), 'c'),
        client.post(`/${kind}/batch/delete`, { ids: shuffled(gone) }),
        ...shuffled(kept)
          .slice(0, 10)
          .map((id) => client.patch(`/${kind}/${id}`, { metadata: { d: 'x' } })),
      ];
      for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
      const { body } = await client.post(`/${kind}/batch/read`, { ids }).expect(200);
      expect(body.meta).toMatchObject({ found: kept.length, not_found: gone.length });
      const shown = body.data.slice(5).map((result: Record<string, { metadata: object }>) => {
        const { metadata } = result[kind.slice(0, -1)] as { metadata: object };
        return Object.keys(metadata)
          .filter((key) => key !== 'd')
          .sort()
          .join('');
      });
      expect(new Set(shown)).toEqual(new Set(['abc']));
    }
    expect(await deadlocks()).toBe(before);
  });
});

it('logs no error of the service', () => {
  expect(log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});
