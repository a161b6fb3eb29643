/** The figures of reports are exact immediately after any write. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  closedIn,
  count,
  getReport,
  happenedIn,
  meets,
  quantile,
  type ReportQuery,
  secondsBetween,
  totalOf,
} from '../../support/analytics.ts';
import { makeWorld, readWorld, sources, statuses, type World } from '../../support/analytics-world.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { amount, hundredths, inCurrency, openWorth } from '../../support/money.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app, 150, 7);
});

afterAll(() => app.close());

const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia'];
const year = { from: '2026-01-01', to: '2026-12-31' };

const step = fc.record({
  verb: fc.constantFrom('patch', 'patch', 'patch', 'delete', 'create'),
  lead: fc.nat(),
  status: fc.constantFrom(...statuses),
  source: fc.constantFrom(...sources),
  assignee: fc.nat(3),
  content: fc.nat(3),
  value: fc.option(
    fc.record({
      amount: fc.nat(10_000_000).map((n) => (n / 100).toFixed(2)),
      currency: fc.constantFrom('EUR', 'USD'),
    }),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take({ verb, lead: index, status, source, assignee, content, value }: Step): Promise<void> {
  const { client, facts, userIds, contentIds } = world;
  const fields = {
    status,
    source,
    value,
    assigned_user_id: userIds[assignee] ?? null,
    content_id: contentIds[content] ?? null,
  };
  const { id } = facts[index % facts.length] ?? { id: '' };
  const lead = { name: 'New', email: `${randomUUID()}@example.com`, ...fields };
  if (verb === 'create') return void (await client.post('/leads', lead).expect(201));
  const request = verb === 'patch' ? client.patch(`/leads/${id}`, fields) : client.delete(`/leads/${id}`);
  // An earlier step may have deleted it.
  expect([verb === 'patch' ? 200 : 204, 404]).toContain((await request).status);
}

/** What was won and lost by month and user, also of leads that were reopened. */
async function checkMoney(now: Pick<World, 'facts' | 'cycles'>, query: ReportQuery): Promise<void> {
  const { data: months } = await getReport(world.client, 'timeseries', {
    ...query,
    interval: 'month',
    group_by: 'assigned_user',
  });
  for (const { period_start: from, period_end: to, group, group_name: _, ...figures } of months) {
    const period = { ...query, from, to };
    expect(figures).toEqual(happenedIn(now, period, (row) => row.assigned_user_id === group));
  }
  // No group is missing.
  const won = months.reduce((sum: number, row: { won: number }) => sum + row.won, 0);
  expect(won).toBe(happenedIn(now, query).won);
}

async function check(query: ReportQuery): Promise<void> {
  const now = await readWorld(app, world.client);
  const leads = now.facts.filter((lead) => meets(lead, query));
  const { data: bySource } = await getReport(world.client, 'breakdown', query);
  for (const { group, group_name: _, open, open_value, ...figures } of bySource) {
    const own = leads.filter(({ source }) => source === group);
    expect(figures).toEqual(happenedIn(now, query, ({ source }) => source === group));
    expect([open, open_value]).toEqual([count(own, 'new', 'contacted', 'qualified'), openWorth(own)]);
    expect(await totalOf(world.client, figures.leads_url)).toBe(figures.created);
    expect(await totalOf(world.client, figures.sales_cycles_url)).toBe(figures.won + figures.lost);
  }
  await checkMoney(now, query);
  const { from: _, to: __, ...ofNow } = query;
  const { data: pipeline } = await getReport(world.client, 'pipeline', ofNow);
  for (const { status, currency, leads: total, amount: value } of pipeline) {
    const own = inCurrency(leads, currency).filter((lead) => lead.status === status);
    expect([status, currency, total, value]).toEqual([
      status,
      currency,
      own.length,
      currency === null ? null : amount(hundredths(own)),
    ]);
  }
  const { data: summary } = await getReport(world.client, 'summary', query);
  const { created, won, lost, win_rate, value } = happenedIn(now, query);
  expect(summary).toMatchObject({ leads_created: created, won, lost, win_rate, value });
  const closed = closedIn(now, query).map(
    ({ opened_at, closed_at }) => [Date.parse(opened_at), Date.parse(closed_at ?? '')] as const,
  );
  expect(summary.median_seconds_to_close).toBe(quantile(secondsBetween(closed), 5));
  const { data: stays } = await getReport(world.client, 'time-in-status', query);
  expect(stays.map((row: { open_current: number }) => row.open_current)).toEqual(
    statuses.map((status) => count(leads, status)),
  );
}

it('stays exact while leads are created, changed and deleted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...zones),
      fc.constantFrom<ReportQuery>({}, { source: 'website' }, { assigned_user_id: 'none' }, { tag: 'vip' }),
      async (steps, timezone, filter) => {
        // Half of them at once.
        await Promise.all(steps.slice(0, 6).map(take));
        for (const later of steps.slice(6)) await take(later);
        await check({ ...year, timezone, ...filter });
      },
    ),
    { numRuns: 12, seed: 20261120, endOnFailure: true },
  );
});
