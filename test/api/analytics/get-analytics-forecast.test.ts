import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  closedIn,
  getReport,
  isWithin,
  meets,
  type ReportQuery,
  share,
  totalOf,
} from '../../support/analytics.ts';
import { makeWorld, readWorld, type World } from '../../support/analytics-world.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createLead } from '../../support/factories.ts';
import { enterStatus, insertLeads } from '../../support/lists.ts';
import { amount, currenciesOf, divided, hundredths, inCurrency } from '../../support/money.ts';
import { expectRefusal } from '../../support/resources.ts';

const open = ['new', 'contacted', 'qualified'] as const;
const DAY = 86_400_000;

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app, 400);
});

afterAll(() => app.close());

/** The UTC day that many days from now. */
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
}

function expected(
  { facts, cycles }: World,
  { months = '12', ...query }: ReportQuery,
  to: string,
  from: string,
) {
  const met = facts.filter((lead) => meets(lead, query));
  const decided = closedIn({ cycles }, { ...query, from, to });
  const rates = open.map((status, index) => {
    const own = decided.filter(
      ({ furthest_status: furthest }) => furthest === null || [...open, 'won'].indexOf(furthest) >= index,
    );
    return { status, decided: own.length, won: own.filter((cycle) => cycle.status === 'won').length };
  });
  const pipeline = met.filter((lead) => lead.value !== null && open.some((status) => status === lead.status));
  const first = to.slice(0, 7);
  const named = Array.from({ length: Number(months) }, (_, index) => monthAfter(first, index));
  const keyOf = (on: string | null) => {
    if (on === null) return 'none';
    if (on.slice(0, 7) < first) return 'overdue';
    return named.includes(on.slice(0, 7)) ? on.slice(0, 7) : 'later';
  };
  const currencies = currenciesOf(pipeline).filter((currency) => currency !== null);
  return {
    win_rates: rates.map((rate) => ({
      ...rate,
      win_rate: share(rate.won, rate.decided),
      sales_cycles_url: expect.any(String),
    })),
    periods: currencies.flatMap((currency) =>
      ['overdue', ...named, 'later', 'none'].map((key) => {
        const own = inCurrency(pipeline, currency).filter((lead) => keyOf(lead.expected_close_on) === key);
        // As fractions of the product of all denominators.
        const whole = rates.reduce((product, rate) => product * BigInt(rate.decided || 1), 1n);
        const weighted = rates.reduce((sum, { status, won, decided: all }) => {
          const value = hundredths(own.filter((lead) => lead.status === status));
          return sum + (value * BigInt(won) * whole) / BigInt(all || 1);
        }, 0n);
        const isUnknown = rates.some(
          (rate) => rate.decided === 0 && own.some(({ status }) => status === rate.status),
        );
        return {
          period: key.includes('-') ? 'month' : key,
          month: key.includes('-') ? key : null,
          currency,
          leads: own.length,
          amount: amount(hundredths(own)),
          weighted_amount: isUnknown ? null : amount(divided(weighted, whole)),
          leads_url: expect.any(String),
        };
      }),
    ),
  };
}

async function check(query: ReportQuery): Promise<void> {
  const { data, meta } = await getReport(world.client, 'forecast', query);
  expect(Date.parse(meta.to) - Date.parse(meta.from)).toBe(364 * DAY);
  expect(isWithin(Date.parse(meta.generated_at), { ...query, from: meta.to, to: meta.to })).toBe(true);
  expect(data).toEqual(expected(world, query, meta.to, meta.from));
  for (const { decided, sales_cycles_url } of data.win_rates) {
    expect(await totalOf(world.client, sales_cycles_url), sales_cycles_url).toBe(decided);
  }
  for (const { leads, leads_url } of data.periods) {
    expect(await totalOf(world.client, leads_url), leads_url).toBe(leads);
  }
}

describe('GET /analytics/forecast', () => {
  it.each<ReportQuery>([
    {},
    { months: '1' },
    { months: '36', timezone: 'Pacific/Apia' },
    { timezone: 'America/St_Johns', source: 'website,api' },
    { months: '3', timezone: 'Asia/Kolkata', assigned_user_id: 'none' },
    { tag: 'vip,old', months: '2' },
    { content_id: 'none' },
  ])('matches a count of the leads and sales cycles, and links to them: %j', async (query) => {
    await check(query);
  });

  it('counts decisions of the last 365 days, also those of today, and rounds half up', async () => {
    const fresh = await startTestApp();
    const client = await fresh.client();
    const { knex } = fresh.production;
    const decide = async (status: 'won' | 'lost', days: number) => {
      const [created, changed] = ['11', '12'].map((hour) => `${day(days)}T${hour}:00:00.000Z`) as [
        string,
        string,
      ];
      const at = { created_at: created, status_changed_at: created };
      const [id = ''] = await insertLeads(knex, [{ ...at, status: 'qualified' }]);
      await enterStatus(knex, id, 'qualified', created, true);
      await enterStatus(knex, id, status, changed, false);
    };
    const rates = async () => {
      const { data } = await getReport(client, 'forecast', { months: '1' });
      return data.win_rates.map((rate: Record<string, unknown>) => [rate.won, rate.decided, rate.win_rate]);
    };
    await createLead(client, {
      status: 'qualified',
      value: { amount: '0.01', currency: 'EUR' },
      expected_close_on: day(0),
    });
    const planned = async () => {
      const { data } = await getReport(client, 'forecast', { months: '1' });
      return data.periods.filter(({ leads }: { leads: number }) => leads > 0);
    };
    expect(await planned()).toMatchObject([{ leads: 1, amount: '0.01', weighted_amount: null }]);
    await decide('won', -366);
    expect(await rates()).toEqual([0, 1, 2].map(() => [0, 0, null]));
    await decide('won', -363);
    await createLead(client, { status: 'lost' });
    const lost = await createLead(client, { status: 'contacted' });
    await client.patch(`/leads/${lost.id}`, { status: 'lost' }).expect(200);
    await decide('lost', -1);
    // The one that arrived as lost counts for each status.
    expect(await rates()).toEqual([
      [1, 4, 0.25],
      [1, 4, 0.25],
      [1, 3, 0.3333],
    ]);
    expect(await planned()).toMatchObject([{ amount: '0.01', weighted_amount: '0.00' }]);
    await fresh.close();
  });

  it('takes a list that was imported with its outcomes for what it is', async () => {
    const fresh = await startTestApp();
    const client = await fresh.client();
    for (const status of ['won', 'lost', 'won', 'lost'] as const) await createLead(client, { status });
    const { data } = await getReport(client, 'forecast', { months: '1' });
    for (const rate of data.win_rates) {
      expect(rate).toMatchObject({ decided: 4, won: 2, win_rate: 0.5 });
      expect(await totalOf(client, rate.sales_cycles_url)).toBe(4);
    }
    expect((await getReport(client, 'summary', {})).data.win_rate).toBe(0.5);
    await fresh.close();
  });

  it('follows each write', async () => {
    const { client } = world;
    const lead = await createLead(client, {
      value: { amount: '100', currency: 'EUR' },
      expected_close_on: day(40),
    });
    const again = async () => {
      Object.assign(world, await readWorld(app, client));
      await check({ months: '3' });
    };
    await again();
    for (const fields of [
      { expected_close_on: day(-400) },
      { expected_close_on: null, status: 'qualified' },
      { value: { amount: '7' } },
      { status: 'won' },
    ]) {
      await client.patch(`/leads/${lead.id}`, fields).expect(200);
      await again();
    }
    await client.delete(`/leads/${lead.id}`).expect(204);
    await again();
  });

  it.each([
    ['months', '0'],
    ['months', '37'],
    ['from', '2026-01-01'],
    ['timezone', 'Mars/Base'],
  ])('rejects %s=%s', async (field, value) => {
    const refused = world.client.get(`/analytics/forecast?${field}=${value}`);
    await expectRefusal(refused, { status: 400, field, code: 'invalid_parameter' });
  });
});

it('looks only at the leads that the search and the filters find', async () => {
  const { client } = world;
  const company = 'Zebra Crossings';
  const source_detail = 'Trade show Berlin';
  await createLead(client, { company, value: { amount: '100.10', currency: 'EUR' } });
  await createLead(client, { company, source_detail, value: { amount: '7', currency: 'EUR' } });
  await createLead(client, { company, source_detail, status: 'won' });
  const all = (await getReport(client, 'forecast', { search: 'zebra' })).data;
  expect(all.win_rates).toEqual((await getReport(client, 'forecast', {})).data.win_rates);
  expect(all.periods.at(-1)).toMatchObject({ period: 'none', leads: 2, amount: '107.10' });
  expect(await totalOf(client, all.periods.at(-1).leads_url)).toBe(2);
  const some = (await getReport(client, 'forecast', { search: 'zebra', source_detail })).data;
  expect(some.periods.at(-1)).toMatchObject({ leads: 1, amount: '7.00', weighted_amount: '7.00' });
});
