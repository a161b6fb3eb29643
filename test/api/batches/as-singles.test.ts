/** A batch returns and writes the same as its items sent one after another. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { follow } from '../../support/events.ts';
import { createUser } from '../../support/factories.ts';
import { type Action, randomBatch, sendSingly } from '../../support/random-batches.ts';

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 60;

let apps: TestApp[];
let clients: TestClient[];

beforeAll(async () => {
  apps = [await startTestApp(), await startTestApp()];
  clients = await Promise.all(apps.map((app) => app.client()));
});

afterAll(() => Promise.all(apps.map((app) => app.close())));

/** Replaces ids by the order of their appearance, and times by a word, because both differ between databases. */
function masker() {
  const known = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!known.has(id)) known.set(id, `${id.split('_')[0]} ${known.size}`);
    return known.get(id) as string;
  };
  return <Value>(value: Value): Value =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, nameOf)
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
    );
}

describe.each(['lead', 'contact'] as const)('random batches of %ss', (kind) => {
  it('return, write and record the same as single requests', async () => {
    const path = `/${kind}s`;
    const [batched, singly] = clients as [TestClient, TestClient];
    const masks = [masker(), masker()] as const;
    const users = await Promise.all(
      clients.map(async (client) => [await createUser(client), await createUser(client, { active: false })]),
    );
    for (const at of [0, 1] as const) masks[at](users[at]);
    const starts = await Promise.all(clients.map((client) => follow(client)));
    /** The ids created so far in each database. */
    const ids: [string[], string[]] = [[], []];
    const seen: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = `${kind} ${round}`;
      const [one, other] = [0, 1].map((at) =>
        randomBatch(seed, kind, { ids: ids[at as 0 | 1], users: users[at] as string[] }),
      ) as [Action, Action];
      const { body } = await batched.post(`${path}/batch/${one.name}`, one.body).expect(200);
      const results = body.data.map(({ index: _, ...result }: { index: number }) => result);
      const expected = await sendSingly(singly, kind, other);
      expect(masks[0](results), seed).toEqual(masks[1](expected));
      for (const [at, all] of [results, expected].entries()) {
        const created = all.filter(({ status }: { status: string }) => status === 'created');
        ids[at as 0 | 1].push(...created.map(({ id }: { id: string }) => id));
      }
      for (const { status } of results) seen[status] = (seen[status] ?? 0) + 1;
    }
    const stored = await Promise.all(
      [0, 1].map(async (at) => {
        const client = clients[at] as TestClient;
        const rows = (await client.get(`${path}?per_page=100`).expect(200)).body;
        const { events } = await follow(client, { cursor: starts[at]?.cursor ?? '' });
        const changes = await apps[at]?.production
          .knex('lead_status_changes')
          .select('from_status', 'to_status')
          .count('* as number')
          .groupBy('from_status', 'to_status')
          .orderBy(['from_status', 'to_status']);
        const mask = masks[at as 0 | 1];
        return {
          rows: mask(rows.data).sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
          total: rows.meta.total,
          events: mask(events.map(({ type, data }) => ({ type, data }))),
          changes,
        };
      }),
    );
    expect(stored[0]).toEqual(stored[1]);
    // The batches had results of every kind.
    for (const status of ['created', 'updated', 'unchanged', 'deleted', 'not_found', 'failed']) {
      expect(seen[status], status).toBeGreaterThan(5);
    }
  });
});
