import { expect } from 'vitest';
import {
  cohortOf,
  count,
  firstAt,
  quantile,
  reached,
  secondsBetween,
  share,
} from '../../support/analytics.ts';
import { describeReport } from '../../support/report-promises.ts';

const path = ['new', 'contacted', 'qualified', 'won'] as const;

describeReport('funnel', {
  main: 'reached',
  expected(world, query) {
    const leads = cohortOf(world.facts, query);
    const stages = path.map((status, index) => {
      const previous = path[index - 1];
      const seconds = secondsBetween(
        leads.map((lead) => [
          previous === 'new' ? Date.parse(lead.created_at) : previous && firstAt(lead, previous),
          firstAt(lead, status),
        ]),
      );
      return {
        status,
        reached: reached(leads, status),
        share_of_cohort: share(reached(leads, status), leads.length),
        rate_from_previous:
          previous === undefined ? null : share(reached(leads, status), reached(leads, previous)),
        median_seconds_from_previous: quantile(seconds, 5),
        leads_url: expect.any(String),
      };
    });
    return { stages, lost: count(leads, 'lost'), open: count(leads, 'new', 'contacted', 'qualified') };
  },
});
