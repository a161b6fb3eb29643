import { expect, it } from 'vitest';
import { cohortOf, count, getReport, reached, sources, winRate } from '../../support/analytics.ts';
import { createLead } from '../../support/factories.ts';
import { worthOf } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

describeReport('sources', {
  main: 'leads',
  expected(world, query) {
    const asked = sources.filter((source) => query.source?.split(',').includes(source) ?? true);
    return asked.map((source) => {
      const leads = cohortOf(world.facts, query).filter((lead) => lead.source === source);
      return {
        source,
        leads: leads.length,
        reached_contacted: reached(leads, 'contacted'),
        reached_qualified: reached(leads, 'qualified'),
        won: count(leads, 'won'),
        lost: count(leads, 'lost'),
        open: count(leads, 'new', 'contacted', 'qualified'),
        win_rate: winRate(leads),
        value: worthOf(leads),
        leads_url: expect.any(String),
      };
    });
  },
  more(world) {
    it('has a row for each source', async () => {
      const { client } = world();
      const tags = ['of-the-sources'];
      for (const status of ['new', 'won', 'lost'] as const) {
        await createLead(client, { tags, source: 'website', status });
      }
      const { data } = await getReport(client, 'sources', {
        tag: 'of-the-sources',
        source: 'website,referral',
      });
      expect(data).toMatchObject([
        {
          source: 'website',
          leads: 3,
          reached_contacted: 1,
          reached_qualified: 1,
          won: 1,
          lost: 1,
          open: 1,
          win_rate: 0.5,
        },
        {
          source: 'referral',
          leads: 0,
          reached_contacted: 0,
          reached_qualified: 0,
          won: 0,
          lost: 0,
          open: 0,
          win_rate: null,
        },
      ]);
    });
  },
});
