import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findDrift, foldLeadCounters } from '../../../src/leads/counter-queries.ts';
import { newUuid, toId } from '../../../src/values/id.ts';
import { createLead, createUser } from '../../support/factories.ts';
import {
  allLeads,
  at,
  type CountedLeads,
  combined,
  filters,
  manyLeads,
  manyTags,
  sources,
  startCountedLeads,
  statuses,
} from '../../support/lead-totals.ts';
import { insertLeads, listLeads, walk } from '../../support/lists.ts';

let api: CountedLeads;
let users: string[];

beforeAll(async () => {
  api = await startCountedLeads();
  users = await Promise.all([createUser(api.client), createUser(api.client)]);
});

beforeEach(() => api.db('leads').delete());

afterAll(() => api.app.close());

describe('The counters of leads under concurrent writes', () => {
  it('are exact at every moment while they are being folded', async () => {
    await insertLeads(api.db, manyLeads());
    const newsletters = manyLeads().filter(({ tags }) => tags?.includes('newsletter')).length;
    let isWriting = true;
    const fold = async () => {
      while (isWriting) await foldLeadCounters(api.app.production.db);
    };
    const write = async () => {
      for (let n = 0; n < 40; n += 1) {
        // Neither of the two changes how many there are.
        const lead = await api.db('leads').where({ status: 'new' }).first();
        await api
          .db('leads')
          .where({ id: lead?.id })
          .update({ status: 'won', source: sources[n % 4], tags: ['vip', ...(lead?.tags ?? [])] });
        await sleep(1);
      }
      isWriting = false;
    };
    const read = async () => {
      while (isWriting) {
        const { meta, leads } = await listLeads(api.client, { per_page: 7, page: 60 });
        expect([meta.total, leads.length]).toEqual([600, 7]);
        const { meta: both } = await listLeads(api.client, { status: statuses.join(), per_page: 1 });
        expect(both.total).toBe(600);
        const report = await api.client.get('/analytics/time-in-status?tag=newsletter').expect(200);
        const current = report.body.data.map((row: { open_current: number }) => row.open_current);
        expect(current.reduce((sum: number, count: number) => sum + count)).toBe(newsletters);
      }
    };
    await Promise.all([fold(), fold(), write(), read(), read()]);
    await api.expectTotals(filters);
  });

  it('match the table after random writes of all kinds', async () => {
    await insertLeads(api.db, manyLeads().slice(0, 120));
    let seed = 20261120;
    const random = (limit: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const ids: string[] = [];
    const some = () => ids[random(ids.length)] ?? toId('lead', newUuid());
    const actions = [
      async () => ids.push((await createLead(api.client, { source: sources[random(4)] })).id),
      async () => ids.push((await createLead(api.client, { assigned_user_id: users[random(2)] })).id),
      () => api.client.patch(`/leads/${some()}`, { status: statuses[random(5)] }),
      () => api.client.patch(`/leads/${some()}`, { assigned_user_id: [...users, null][random(3)] }),
      () => api.client.patch(`/leads/${some()}`, { source: sources[random(4)], name: 'Renamed' }),
      () => api.client.patch(`/leads/${some()}`, { tags: ['vip', 'new', 'newsletter'].slice(random(4)) }),
      () => api.client.delete(`/leads/${some()}`),
      () => api.client.post(`/leads/${some()}/convert`, { status: 'won' }),
      () =>
        api
          .db('leads')
          .where({ status: statuses[random(5)] })
          .update({ source: sources[random(4)], tags: manyTags[random(7)] }),
      () => foldLeadCounters(api.app.production.db),
      () => insertLeads(api.db, [at(`2026-0${1 + random(9)}-1${random(10)}T00:00:00Z`, { status: 'lost' })]),
    ];
    const workers = Array.from({ length: 5 }, async () => {
      for (let turn = 0; turn < 40; turn += 1) await actions[random(actions.length)]?.();
    });
    await Promise.all(workers);
    const owners = [...users, 'none'].map((assigned_user_id) => ({ assigned_user_id }));
    await api.expectTotals([
      ...combined,
      ...owners,
      ...['vip', 'newsletter', 'new', 'VIP'].flatMap((tag) => [
        { tag },
        ...statuses.map((status) => ({ tag, status })),
        ...sources.map((source) => ({ tag, source })),
      ]),
      ...owners.flatMap((owner) => statuses.map((status) => ({ ...owner, status }))),
    ]);
    await api.expectPages({}, 40);
    await api.expectPages({ tag: 'vip' }, 7);
    await api.expectPages({ assigned_user_id: users[0] ?? '', status: 'new,won' }, 3);
    expect(await api.app.production.db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
  });

  it('let a cursor walk meet each lead once that was there at its start', async () => {
    await insertLeads(api.db, manyLeads().slice(0, 200));
    const before = (await allLeads(api.db)).map(({ id }) => id);
    for (const sort of ['-created_at', 'created_at']) {
      const walked = await walk(api.client, { sort, per_page: 25 }, async () => {
        await Promise.all([
          insertLeads(api.db, [at('2026-02-10T12:00:00Z'), at('2026-01-26T12:00:00Z')]),
          foldLeadCounters(api.app.production.db),
        ]);
      });
      const seen = walked.flatMap(({ leads }) => leads.map(({ id }) => id));
      expect(new Set(seen).size).toBe(seen.length);
      const wanted = new Set(before);
      const inOrder = sort === 'created_at' ? before.toReversed() : before;
      expect(seen.filter((id) => wanted.has(id))).toEqual(inOrder);
    }
  });
});
