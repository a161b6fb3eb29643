/** GET /analytics/breakdown: what happened in the period, and a past that stays as it was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../../generated/api.ts';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { content, make, users } from '../../support/resources.ts';
import { change, cyclesOf, euros } from '../../support/sales-cycles.ts';

type Row = components['schemas']['BreakdownRow'];

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

const keys = ['source', 'source_detail', 'assigned_user', 'content', 'tag', 'company', 'lost_reason'];

async function breakdown(by: string, query = ''): Promise<Row[]> {
  const { body } = await client.get(`/analytics/breakdown?group_by=${by}${query}`).expect(200);
  return body.data;
}

const rowOf = async (by: string, group: string | null, query = '') =>
  (await breakdown(by, query)).find((row) => row.group === group);

/** The path and query of a URL in a report. */
const totalOf = async (url: string): Promise<number> => {
  const { body } = await client.get(url.slice(url.indexOf('/v1/') + 3)).expect(200);
  return body.meta.total;
};

type Point = components['schemas']['TimeseriesPoint'];

/** What must never change of a row about the past. */
const past = (rows: readonly (Row | Point)[]) =>
  rows
    .filter(({ won, lost }) => won + lost > 0)
    .map(({ group, group_name, won, lost, win_rate, value, ...row }) => ({
      period: 'period_start' in row ? row.period_start : null,
      ...{ group, group_name, won, lost, win_rate },
      value: value.map(({ currency, ...sums }) => [
        currency,
        ...[sums.won, sums.lost].map(({ sales_cycles, amount }) => `${sales_cycles} ${amount}`),
      ]),
    }))
    .sort((one, other) => (`${one.period} ${one.group}` < `${other.period} ${other.group}` ? -1 : 1));

describe('GET /analytics/breakdown', () => {
  it('keeps a sale with whoever made it when the customer comes back and is lost', async () => {
    const [ann, bob] = [
      await make(client, users, { name: 'Ann' }),
      await make(client, users, { name: 'Bob' }),
    ];
    const lead = await createLead(client, { assigned_user_id: ann.id, value: euros('10000.00') });
    await change(client, lead, { status: 'won' });
    await change(client, lead, { status: 'contacted', assigned_user_id: bob.id, value: euros('50.00') });
    expect(await rowOf('assigned_user', ann.id)).toMatchObject({
      ...{ group_name: 'Ann', created: 0, won: 1, lost: 0, win_rate: 1, open: 0, open_value: [] },
      value: [{ currency: 'EUR', won: { sales_cycles: 1, amount: '10000.00' }, lost: { sales_cycles: 0 } }],
    });
    await change(client, lead, { status: 'lost', lost_reason: 'Price' });
    expect(await rowOf('assigned_user', bob.id)).toMatchObject({
      created: 1,
      contacted: 1,
      won: 0,
      lost: 1,
      win_rate: 0,
    });
    expect(await rowOf('assigned_user', ann.id)).toMatchObject({
      won: 1,
      value: [{ won: { amount: '10000.00' } }],
    });
    expect(await rowOf('lost_reason', 'Price')).toMatchObject({ lost: 1 });
    await client.patch(`/users/${ann.id}`, { active: false }).expect(200);
    expect(await rowOf('assigned_user', ann.id)).toMatchObject({ group_name: 'Ann', won: 1 });
  });

  it('counts by each key, under the names that people see, with lists of exactly these', async () => {
    const { id: content_id } = await make(client, content, { title: 'Eight Ways' });
    const fields = {
      ...{
        source: 'referral' as const,
        source_detail: 'Expo',
        content_id,
        tags: ['vip', 'eu'],
        company: 'Acme Ltd',
      },
      value: { amount: '5.00', currency: 'USD' },
    } as const;
    await createLead(client, { ...fields, status: 'won' });
    await createLead(client, { ...fields, company: 'ACME LTD', status: 'lost', lost_reason: 'Too late' });
    await createLead(client, fields);
    const shown = {
      ...{ source: 'referral', source_detail: 'Expo', content: content_id, tag: 'vip', company: 'Acme Ltd' },
      lost_reason: 'Too late',
    };
    for (const [by, group] of Object.entries(shown)) {
      const row = await rowOf(by, group);
      const counts = { created: 3, contacted: 1, won: 1, lost: 1, win_rate: 0.5, open: 1 };
      const ofReason = { created: 1, contacted: 0, won: 0, lost: 1, win_rate: 0, open: 0 };
      expect(row, by).toMatchObject(by === 'lost_reason' ? ofReason : counts);
    }
    expect((await rowOf('content', content_id))?.group_name).toBe('Eight Ways');
    for (const by of keys) {
      for (const row of await breakdown(by)) {
        expect([by, row.group, await totalOf(row.leads_url)]).toEqual([by, row.group, row.created]);
        expect([by, row.group, await totalOf(row.sales_cycles_url)]).toEqual([
          by,
          row.group,
          row.won + row.lost,
        ]);
        for (const { won, lost } of row.value) {
          expect(await totalOf(won.sales_cycles_url)).toBe(won.sales_cycles);
          expect(await totalOf(lost.sales_cycles_url)).toBe(lost.sales_cycles);
        }
        for (const { leads, leads_url } of row.open_value) expect(await totalOf(leads_url)).toBe(leads);
      }
    }
  });

  it('takes the filters of the other reports, and the period', async () => {
    expect(await breakdown('source', '&source=referral')).toMatchObject([{ group: 'referral', won: 1 }]);
    expect((await breakdown('tag', '&tag=vip')).map(({ group }) => group)).toEqual(['vip']);
    const before = await breakdown('source', '&from=2020-01-01&to=2020-01-31');
    expect(before.map(({ created, won, lost }) => created + won + lost)).toEqual(before.map(() => 0));
    const { headers, text } = await client
      .get('/analytics/breakdown?group_by=tag&from=2026-01-01&to=2026-01-31')
      .set('Accept', 'text/csv')
      .expect(200);
    expect(headers['content-disposition']).toBe('attachment; filename="breakdown_2026-01-01_2026-01-31.csv"');
    expect(text.split('\r\n')[0]).toMatch(
      /^group,group_name,created,contacted,qualified,won,lost,win_rate,open,/,
    );
    const { body } = await client.get('/analytics/breakdown').expect(200);
    expect(body.data).toEqual(await breakdown('source'));
    await client.get('/analytics/breakdown?group_by=colour').expect(400);
  });

  it('never changes what was won and lost, whatever happens to the leads', async () => {
    let seed = 20261128;
    const random = (limit: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const pick = <T>(choices: readonly T[]): T => choices[random(choices.length)] as T;
    const owners = [(await make(client, users)).id, (await make(client, users)).id, null];
    const some = () => ({
      ...{ source: pick(['api', 'website', 'manual'] as const), source_detail: pick(['Fair', 'Ads', null]) },
      ...{
        assigned_user_id: pick(owners),
        tags: pick([['a'], ['a', 'b'], []]),
        company: pick(['One', 'Two', null]),
      },
    });
    const value = () =>
      pick([euros(`${1 + random(900)}.00`), { amount: `${random(50)}`, currency: 'JPY' }, null]);
    const leads = [];
    for (let count = 0; count < 40; count += 1)
      leads.push(await createLead(client, { ...some(), value: value() }));
    // Histories of 24 months: each cycle was closed in another month.
    const month = 30 * 86_400_000;
    for (const lead of leads) {
      for (let cycle = 0; cycle < 1 + random(3); cycle += 1) {
        await change(client, lead, {
          status: pick(['contacted', 'qualified'] as const),
          value: value(),
          ...some(),
        });
        await change(client, lead, { status: pick(['won', 'won', 'lost'] as const) });
      }
      for (const { id } of await cyclesOf(client, lead)) {
        const closed_at = new Date(Date.now() - (1 + random(24)) * month);
        await app.production.knex.raw(
          `update sales_cycles set closed_at = ?, opened_at = ? where id = ? and closed_at is not null`,
          [closed_at, new Date(closed_at.getTime() - 1000), toUuid('cycle', id) ?? ''],
        );
      }
    }
    const period = `&from=${day(-26 * month)}&to=${day(-month)}`;
    const series = async (by: string): Promise<Point[]> => {
      const path = `/analytics/timeseries?interval=month&group_by=${by}${period}`;
      return (await client.get(path).expect(200)).body.data;
    };
    const figures = () =>
      Promise.all([
        ...keys.map(async (by) => past(await breakdown(by, period))),
        ...['none', ...keys].map(async (by) => past(await series(by))),
      ]);
    const before = await figures();
    expect(before[0]?.reduce((sum, { won, lost }) => sum + won + lost, 0)).toBeGreaterThan(40);
    const actions = [
      (id: string) => client.patch(`/leads/${id}`, { status: 'new', value: value() }),
      (id: string) => client.patch(`/leads/${id}`, some()),
      (id: string) => client.post(`/leads/${id}/reopen`, { status: 'qualified' }),
      (id: string) => client.patch(`/leads/${id}`, { status: 'won' }),
      (id: string) => client.post(`/leads/${id}/convert`, {}),
      (id: string) =>
        client.post('/leads/batch/update', { items: [{ id, patch: { ...some(), status: 'lost' } }] }),
    ];
    for (let turn = 0; turn < 150; turn += 1) await pick(actions)(pick(leads).id);
    expect(await figures()).toEqual(before);
  });
});

const day = (offset: number) => new Date(Date.now() + offset).toISOString().slice(0, 10);
