import { expect, it } from 'vitest';
import {
  getReport,
  isWithin,
  meets,
  type ReportQuery,
  statuses,
  type World,
} from '../../support/analytics.ts';
import { createLead } from '../../support/factories.ts';
import { amount, currenciesOf, divided, hundredths, inCurrency } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

function expected({ facts }: World, query: ReportQuery) {
  const counted = facts.filter(
    (lead) =>
      meets(lead, query) &&
      (!['won', 'lost'].includes(lead.status) || isWithin(Date.parse(lead.status_changed_at), query)),
  );
  return statuses.flatMap((status) =>
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
        value: currency === null ? null : amount(value),
        average_value: currency === null ? null : average,
        leads_url: expect.any(String),
      };
    }),
  );
}

describeReport('pipeline', {
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
        value: '1999999999999999.9999',
        average_value: '666666666666666.6666',
      });
      for (const some of ['1', '2']) await createLead(client, { value: { amount: some, currency: 'JPY' } });
      expect(await row('new', 'JPY')).toMatchObject({ leads: 2, value: '3', average_value: '2' });
      expect(await row('lost', 'JPY')).toMatchObject({ leads: 0, value: '0', average_value: null });
    });

    it('moves a lead immediately with its status, value and currency', async () => {
      const { client } = world();
      const lead = await createLead(client, { value: { amount: '10', currency: 'KWD' } });
      const patch = (fields: object) => client.patch(`/leads/${lead.id}`, fields).expect(200);
      expect(await row('new', 'KWD')).toMatchObject({ leads: 1, value: '10.000' });
      await patch({ value: { amount: '11' } });
      expect(await row('new', 'KWD')).toMatchObject({ leads: 1, value: '11.000' });
      await patch({ status: 'won' });
      expect(await row('new', 'KWD')).toMatchObject({ leads: 0, value: '0.000' });
      expect(await row('won', 'KWD')).toMatchObject({ leads: 1, value: '11.000' });
      await patch({ value: { currency: 'BHD' } });
      expect(await row('won', 'KWD')).toBeUndefined();
      expect(await row('won', 'BHD')).toMatchObject({ leads: 1, value: '11.000' });
      const before = await row('won', null);
      await patch({ value: null });
      expect((await row('won', null)).leads).toBe(before.leads + 1);
      await client.delete(`/leads/${lead.id}`).expect(204);
      expect(await row('won', null)).toEqual(before);
    });
  },
});
