import { expect, it } from 'vitest';
import { getReport, meets, type ReportQuery, totalOf } from '../../support/analytics.ts';
import type { World } from '../../support/analytics-world.ts';
import { createLead } from '../../support/factories.ts';
import { amount, currenciesOf, divided, hundredths, inCurrency } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

function expected({ facts }: World, query: ReportQuery) {
  const open = ['new', 'contacted', 'qualified'];
  const counted = facts.filter((lead) => meets(lead, query) && open.includes(lead.status));
  return open.flatMap((status) =>
    currenciesOf(counted).map((currency) => {
      const own = inCurrency(
        counted.filter((lead) => lead.status === status),
        currency,
      );
      const value = hundredths(own);
      const average = own.length === 0 ? null : amount(divided(value, BigInt(own.length)));
      return {
        status,
        currency,
        leads: own.length,
        amount: currency === null ? null : amount(value),
        average_amount: currency === null ? null : average,
        leads_url: expect.any(String),
      };
    }),
  );
}

describeReport('pipeline', {
  queries: [
    {},
    { timezone: 'Pacific/Apia', source: 'website,api' },
    { tag: 'vip,old' },
    { assigned_user_id: 'none' },
    { content_id: 'none' },
  ],
  main: 'leads',
  expected,
  more: (world) => {
    const row = async (status: string, currency: string | null) => {
      const { data } = await getReport(world().client, 'pipeline', {});
      return data.find((one: Record<string, unknown>) => one.status === status && one.currency === currency);
    };

    it("adds up amounts beyond a double's precision, and rounds half up", async () => {
      const { client } = world();
      for (const some of ['999999999999999.9999', '999999999999999.9998', '0.0002'])
        await createLead(client, { value: { amount: some, currency: 'CLF' } });
      expect(await row('new', 'CLF')).toMatchObject({
        leads: 3,
        amount: '1999999999999999.9999',
        average_amount: '666666666666666.6666',
      });
      for (const some of ['1', '2']) await createLead(client, { value: { amount: some, currency: 'JPY' } });
      expect(await row('new', 'JPY')).toMatchObject({ leads: 2, amount: '3', average_amount: '2' });
      expect(await row('qualified', 'JPY')).toMatchObject({ leads: 0, amount: '0', average_amount: null });
    });

    it('moves a lead immediately with its status, value and currency', async () => {
      const { client } = world();
      const lead = await createLead(client, { value: { amount: '10', currency: 'KWD' } });
      const patch = (fields: object) => client.patch(`/leads/${lead.id}`, fields).expect(200);
      expect(await row('new', 'KWD')).toMatchObject({ leads: 1, amount: '10.000' });
      await patch({ value: { amount: '11' } });
      expect(await row('new', 'KWD')).toMatchObject({ leads: 1, amount: '11.000' });
      await patch({ status: 'qualified' });
      expect(await row('new', 'KWD')).toMatchObject({ leads: 0, amount: '0.000' });
      expect(await row('qualified', 'KWD')).toMatchObject({ leads: 1, amount: '11.000' });
      await patch({ value: { currency: 'BHD' } });
      expect(await row('qualified', 'KWD')).toBeUndefined();
      expect(await row('qualified', 'BHD')).toMatchObject({ leads: 1, amount: '11.000' });
      const before = await row('qualified', null);
      await patch({ value: null });
      expect((await row('qualified', null)).leads).toBe(before.leads + 1);
      await patch({ status: 'won' });
      expect(await row('qualified', null)).toEqual(before);
      expect(await row('won', null)).toBeUndefined();
    });

    it('counts exactly the leads that a list with the same search and filters shows', async () => {
      const { client } = world();
      const company = 'Zebra Crossings';
      const berlin = { company, source_detail: 'Trade show Berlin' };
      await createLead(client, { ...berlin, value: { amount: '100.10', currency: 'EUR' } });
      await createLead(client, {
        ...berlin,
        value: { amount: '0.20', currency: 'EUR' },
        status: 'contacted',
      });
      await createLead(client, { company, value: { amount: '7', currency: 'EUR' }, phone: '+4915112345678' });
      const sums = async (query: ReportQuery) => {
        const { data } = await getReport(client, 'pipeline', query);
        for (const row of data) expect(await totalOf(client, row.leads_url), row.leads_url).toBe(row.leads);
        const counted = data.filter((row: { leads: number }) => row.leads > 0);
        return counted.map((row: Record<string, unknown>) => [row.status, row.leads, row.amount]);
      };
      expect(await sums({ search: 'crossings zeb' })).toEqual([
        ['new', 2, '107.10'],
        ['contacted', 1, '0.20'],
      ]);
      expect(await sums({ search: 'zebra', source_detail: 'Trade show Berlin' })).toEqual([
        ['new', 1, '100.10'],
        ['contacted', 1, '0.20'],
      ]);
      expect(await sums({ search: 'zebra', source_detail: 'none' })).toEqual([['new', 1, '7.00']]);
      expect(await sums({ search: '0151 12345678' })).toEqual([['new', 1, '7.00']]);
      expect(await sums({ search: 'zebra nobody' })).toEqual([]);
    });

    it('rejects a search with too many words', async () => {
      const search = encodeURIComponent('a b c d e f g h i j k');
      const { body } = await world().client.get(`/analytics/pipeline?search=${search}`).expect(400);
      expect(body.errors.search).toEqual([expect.stringContaining('at most 10 words')]);
    });
  },
});
