import { expect, it } from 'vitest';
import {
  cohortOf,
  count,
  firstAt,
  getReport,
  quantile,
  reached,
  secondsBetween,
  share,
} from '../../support/analytics.ts';
import { createLead } from '../../support/factories.ts';
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
  more(world) {
    it('counts a lead for every stage it reached: of four leads, one was won and one lost', async () => {
      const { client } = world();
      for (const status of ['new', 'contacted', 'won', 'lost'] as const) {
        const { id } = await createLead(client, { tags: ['of-the-funnel'] });
        await client.patch(`/leads/${id}`, { status }).expect(200);
      }
      const { data } = await getReport(client, 'funnel', { tag: 'of-the-funnel' });
      expect(data).toMatchObject({
        stages: [
          { status: 'new', reached: 4, share_of_cohort: 1, rate_from_previous: null },
          { status: 'contacted', reached: 2, share_of_cohort: 0.5, rate_from_previous: 0.5 },
          { status: 'qualified', reached: 1, share_of_cohort: 0.25, rate_from_previous: 0.5 },
          { status: 'won', reached: 1, share_of_cohort: 0.25, rate_from_previous: 1 },
        ],
        lost: 1,
        open: 2,
      });
    });
  },
});
