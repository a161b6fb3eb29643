import { expect, it } from 'vitest';
import {
  getReport,
  isWithin,
  leadsAt,
  meets,
  type ReportQuery,
  share,
  totalOf,
} from '../../support/analytics.ts';
import type { CountableFilter, World } from '../../support/analytics-world.ts';
import { createLead } from '../../support/factories.ts';
import { amount, currenciesOf, hundredths, inCurrency } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

function expected({ facts }: World, query: ReportQuery) {
  const lost = facts.filter(
    (lead) =>
      lead.status === 'lost' && meets(lead, query) && isWithin(Date.parse(lead.status_changed_at), query),
  );
  const rows = [...Map.groupBy(lost, ({ lost_reason }) => lost_reason?.toLowerCase() ?? null)].map(
    ([key, leads]) => ({
      key,
      lost_reason: mostFrequent(leads.map(({ lost_reason }) => lost_reason)),
      leads: leads.length,
      share_of_lost: share(leads.length, lost.length),
      value: valueOfLost(leads),
      leads_url: expect.any(String),
    }),
  );
  const ordered = rows.toSorted((a, b) => b.leads - a.leads || ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  return ordered.map(({ key: _, ...row }) => row);
}

function valueOfLost(leads: readonly CountableFilter[]) {
  return currenciesOf(leads)
    .filter((currency) => currency !== null)
    .map((currency) => {
      const own = inCurrency(leads, currency);
      const sum = { leads: own.length, amount: amount(hundredths(own)), leads_url: expect.any(String) };
      return { currency, lost: sum };
    });
}

/** Of those that are as frequent, the first one in order. */
function mostFrequent(reasons: readonly (string | null)[]): string | null {
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, all]) => [reason, all.length] as const,
  );
  counts.sort(([a, one], [b, two]) => two - one || ((a ?? '') < (b ?? '') ? -1 : 1));
  return counts[0]?.[0] ?? null;
}

const day = new Date().toISOString().slice(0, 10);
const today = { from: day, to: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) };

describeReport('lost-reasons', {
  main: 'leads',
  async prepare(app, { facts }) {
    const reasons = [
      'Too expensive',
      'TOO EXPENSIVE',
      'Too expensive',
      'None',
      'none',
      '=cmd()',
      'Große Fülle',
    ];
    const lost = facts.filter(({ status }) => status === 'lost');
    for (const [number, { email }] of lost.entries()) {
      const lost_reason = reasons[number % (reasons.length + 2)] ?? null;
      await app.production.knex('leads').where({ email }).update({ lost_reason });
    }
  },
  expected,
  more: (world, app) => {
    it('counts a lead by the reason that it has now, in the period in which it was lost', async () => {
      const { client } = world();
      const tag = 'of-lost-reasons';
      const fields = { tags: [tag], status: 'lost' as const, value: { amount: '10', currency: 'EUR' } };
      const lead = await createLead(client, { ...fields, lost_reason: 'Budget' });
      await createLead(client, { ...fields, lost_reason: 'budget', value: { amount: '5', currency: 'JPY' } });
      await createLead(client, { ...fields, value: null });
      const seen = async () => {
        const { data } = await getReport(client, 'lost-reasons', { ...today, tag });
        return data.map((row: { lost_reason: string; leads: number; share_of_lost: number }) => [
          row.lost_reason,
          row.leads,
          row.share_of_lost,
        ]);
      };
      const { data } = await getReport(client, 'lost-reasons', { ...today, tag });
      expect(data[0].value).toMatchObject([
        { currency: 'EUR', lost: { leads: 1, amount: '10.00' } },
        { currency: 'JPY', lost: { leads: 1, amount: '5' } },
      ]);
      expect(await leadsAt(client, data[0].value[0].lost.leads_url)).toMatchObject([{ id: lead.id }]);
      expect(await seen()).toEqual([
        ['Budget', 2, 0.6667],
        [null, 1, 0.3333],
      ]);
      await client.patch(`/leads/${lead.id}`, { lost_reason: 'Timing' }).expect(200);
      expect(await seen()).toEqual([
        [null, 1, 0.3333],
        ['budget', 1, 0.3333],
        ['Timing', 1, 0.3333],
      ]);
      await client.patch(`/leads/${lead.id}`, { status: 'contacted' }).expect(200);
      expect(await seen()).toEqual([
        [null, 1, 0.5],
        ['budget', 1, 0.5],
      ]);
      const past = { from: '1999-01-01', to: '1999-01-31', tag };
      expect((await getReport(client, 'lost-reasons', past)).data).toEqual([]);
    });

    it('has a list for each reason, whatever its text', async () => {
      const { client } = world();
      const tags = ['of-odd-reasons'];
      const odd = ['%', 'a&b=c#d', 'two\nlines', '😀', 'İstanbul', "'; drop table leads", '\\', '+1 ', 'ẞ'];
      for (const lost_reason of odd) await createLead(client, { tags, status: 'lost', lost_reason });
      const { data } = await getReport(client, 'lost-reasons', { ...today, tag: 'of-odd-reasons' });
      expect(data).toHaveLength(odd.length);
      for (const row of data) expect(await totalOf(client, row.leads_url), row.leads_url).toBe(1);
    });

    it("counts reasons that don't fit on it", async () => {
      await app().production.knex.raw(`
        insert into leads (id, name, email, status, source, tags, lost_reason)
        select new_uuid(), 'Lost', 'reason-' || n || '@example.com', 'lost', 'api', '{of-many-reasons}', 'Reason ' || n
        from generate_series(1, 1005) n`);
      const query = { ...today, tag: 'of-many-reasons' };
      const { data, meta } = await getReport(world().client, 'lost-reasons', query);
      expect([data.length, meta.omitted, data[0].share_of_lost]).toEqual([1_000, 5, 0.001]);
    });
  },
});
