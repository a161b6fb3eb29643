import { expect } from 'vitest';
import { cohortOf, count, reached, sources, winRate } from '../../support/analytics.ts';
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
        contacted: reached(leads, 'contacted'),
        qualified: reached(leads, 'qualified'),
        won: count(leads, 'won'),
        lost: count(leads, 'lost'),
        open: count(leads, 'new', 'contacted', 'qualified'),
        win_rate: winRate(leads),
        leads_url: expect.any(String),
      };
    });
  },
});
