/** The figures of reports are exact immediately after any write. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { components } from '../../../generated/api.ts';
import {
  cohortOf,
  count,
  firstAt,
  getReport,
  isWithin,
  meets,
  quantile,
  type ReportQuery,
  reached,
  secondsBetween,
  totalOf,
} from '../../support/analytics.ts';
import {
  type CountableFilter,
  makeWorld,
  readFacts,
  sources,
  statuses,
  type World,
} from '../../support/analytics-world.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { amount, hundredths, inCurrency, worthOf } from '../../support/money.ts';

type Schemas = components['schemas'];

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

/** The revenue by month and assignee, and what was lost: from the leads as they are now, also those that were reopened. */
async function checkMoney(facts: readonly CountableFilter[], query: ReportQuery): Promise<void> {
  const { data: months } = await getReport(world.client, 'timeseries', {
    ...query,
    interval: 'month',
    group_by: 'assigned_user',
  });
  const met = facts.filter((lead) => meets(lead, query));
  const changedIn = (lead: CountableFilter, period: ReportQuery) =>
    isWithin(Date.parse(lead.status_changed_at), { ...query, ...period });
  const revenue = months.flatMap(({ value }: { value: Schemas['RowValue'][] }) => value);
  for (const { period_start: from, period_end: to, group, value } of months) {
    const own = met.filter((lead) => (lead.assigned_user_id ?? 'none') === group);
    const won = own.filter((lead) => lead.status === 'won' && changedIn(lead, { from, to }));
    const open = own.filter(
      (lead) =>
        !['won', 'lost'].includes(lead.status) &&
        isWithin(Date.parse(lead.created_at), { ...query, from, to }),
    );
    expect(value).toEqual(worthOf([], { won, open }));
  }
  // No group is missing.
  const won = met.filter((lead) => lead.status === 'won' && lead.value !== null && changedIn(lead, {}));
  expect(revenue.reduce((sum: number, one: Schemas['RowValue']) => sum + one.won.leads, 0)).toBe(won.length);
  const { data: reasons } = await getReport(world.client, 'lost-reasons', query);
  const lost = met.filter((lead) => lead.status === 'lost' && changedIn(lead, {}));
  expect(reasons.map(({ leads }: { leads: number }) => leads)).toEqual(
    lost.length === 0 ? [] : [lost.length],
  );
}

async function check(query: ReportQuery): Promise<void> {
  const facts = await readFacts(app, world.client);
  const leads = cohortOf(facts, query);
  const { data: bySource } = await getReport(world.client, 'sources', query);
  for (const row of bySource) {
    const own = leads.filter(({ source }) => source === row.source);
    expect([row.leads, row.reached_qualified, row.won]).toEqual([
      own.length,
      reached(own, 'qualified'),
      count(own, 'won'),
    ]);
    expect(await totalOf(world.client, row.leads_url)).toBe(row.leads);
    expect(row.value).toEqual(worthOf(own));
  }
  await checkMoney(facts, query);
  const { data: pipeline } = await getReport(world.client, 'pipeline', query);
  for (const { status, currency, leads: total, amount: value } of pipeline) {
    const isOpen = !['won', 'lost'].includes(status);
    const own = inCurrency(facts, currency).filter(
      (lead) =>
        lead.status === status &&
        meets(lead, query) &&
        (isOpen || isWithin(Date.parse(lead.status_changed_at), query)),
    );
    expect([status, currency, total, value]).toEqual([
      status,
      currency,
      own.length,
      currency === null ? null : amount(hundredths(own)),
    ]);
  }
  const { data: summary } = await getReport(world.client, 'summary', query);
  const waits = leads.map((lead) => [Date.parse(lead.created_at), firstAt(lead, 'contacted')] as const);
  expect(summary.median_seconds_to_first_contact).toBe(quantile(secondsBetween(waits), 5));
  const { data: series } = await getReport(world.client, 'timeseries', {
    ...query,
    interval: 'week',
    group_by: 'status',
  });
  for (const { period_start: from, period_end: to, group, first_lost } of series) {
    const own = facts.filter((lead) => lead.status === group && meets(lead, query));
    const happened = own
      .map((lead) => firstAt(lead, 'lost'))
      .filter((at) => at !== undefined && isWithin(at, { ...query, from, to }));
    expect(first_lost).toBe(happened.length);
  }
  const { data: stays } = await getReport(world.client, 'time-in-status', query);
  expect(stays.map(({ current }: { current: number }) => current)).toEqual(
    statuses.map((status) =>
      count(
        facts.filter((lead) => meets(lead, query)),
        status,
      ),
    ),
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
