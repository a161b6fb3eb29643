import { expect, it } from 'vitest';
import { getReport, isWithin, meets, quantile } from '../../support/analytics.ts';
import { type CountableFilter, statuses } from '../../support/analytics-world.ts';
import { createLead } from '../../support/factories.ts';
import { describeReport } from '../../support/report-promises.ts';

describeReport('time-in-status', {
  main: 'open_current',
  expected(world, query) {
    const leads = world.facts.filter((lead) => meets(lead, query));
    const entries = leads.flatMap(({ path }) => path).filter(({ at }) => isWithin(at, query));
    const stays = leads.flatMap(staysOf).filter(({ left }) => isWithin(left, query));
    return statuses.map((status) => {
      const seconds = stays.filter((stay) => stay.status === status).map((stay) => stay.seconds);
      return {
        status,
        entered: entries.filter((entry) => entry.status === status).length,
        exited: seconds.length,
        open_current: leads.filter((lead) => lead.status === status).length,
        mean_seconds: mean(seconds),
        median_seconds: quantile(seconds, 5),
        p90_seconds: quantile(seconds, 9),
        leads_url: expect.any(String),
      };
    });
  },
  more(world) {
    it('counts how many leads entered and left each status: of two new leads, one was contacted', async () => {
      const { client } = world();
      const tags = ['of-the-times'];
      await createLead(client, { tags });
      const { id } = await createLead(client, { tags });
      await client.patch(`/leads/${id}`, { status: 'contacted' }).expect(200);
      const { data } = await getReport(client, 'time-in-status', { tag: 'of-the-times' });
      const none = { entered: 0, exited: 0, open_current: 0, mean_seconds: null, median_seconds: null };
      expect(data).toMatchObject([
        { status: 'new', entered: 2, exited: 1, open_current: 1, mean_seconds: expect.any(Number) },
        { status: 'contacted', entered: 1, exited: 0, open_current: 1, mean_seconds: null },
        { status: 'qualified', ...none },
        { status: 'won', ...none },
        { status: 'lost', ...none },
      ]);
    });
  },
});

function staysOf({ path }: CountableFilter) {
  return path.flatMap(({ status, at }, index) => {
    const next = path[index + 1];
    return next === undefined ? [] : [{ status, left: next.at, seconds: Math.floor((next.at - at) / 1000) }];
  });
}

function mean(numbers: number[]): number | null {
  const sum = numbers.reduce((all, number) => all + number, 0);
  return numbers.length === 0 ? null : Math.round(sum / numbers.length);
}
