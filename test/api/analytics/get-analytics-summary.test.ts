import { expect, it } from 'vitest';
import {
  closedIn,
  firstAt,
  getReport,
  happenedIn,
  isWithin,
  meets,
  quantile,
  type ReportQuery,
  secondsBetween,
} from '../../support/analytics.ts';
import type { World } from '../../support/analytics-world.ts';
import { openWorth } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

const open = ['new', 'contacted', 'qualified'] as const;

describeReport('summary', {
  main: 'leads_created',
  expected(world, query) {
    // Apia had no 2011-12-30: the day before its 31st is the 29th.
    const isAfterGap = query.from === '2011-12-31';
    const earlier = isAfterGap ? { ...query, from: '2011-12-29', to: '2011-12-29' } : before(query);
    const leads = world.facts.filter((lead) => meets(lead, query));
    const [fresh, contacted, qualified] = open.map(
      (status) => leads.filter((lead) => lead.status === status).length,
    ) as [number, number, number];
    return {
      ...summaryOf(world, query),
      open: fresh + contacted + qualified,
      open_by_status: { new: fresh, contacted, qualified },
      open_value: openWorth(leads),
      previous: { from: earlier.from, to: earlier.to, ...summaryOf(world, earlier) },
    };
  },
  more(world) {
    it('covers the last thirty days of the timezone by default', async () => {
      for (const timezone of ['UTC', 'Pacific/Apia', 'Pacific/Pago_Pago']) {
        const { meta } = await getReport(world().client, 'summary', { timezone });
        const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(
          new Date(meta.generated_at),
        );
        expect(meta.to).toBe(day);
        expect(Date.parse(meta.to) - Date.parse(meta.from)).toBe(29 * 86_400_000);
      }
    });
  },
});

function summaryOf(world: World, query: ReportQuery) {
  const { created, contacted: _, qualified: __, ...figures } = happenedIn(world, query);
  const closed = closedIn(world, query).map(
    ({ opened_at, closed_at }) => [Date.parse(opened_at), Date.parse(closed_at ?? '')] as const,
  );
  const contacted = world.facts
    .filter((lead) => meets(lead, query))
    .map((lead) => [Date.parse(lead.created_at), firstAt(lead, 'contacted')] as const)
    .filter(([, at]) => at !== undefined && isWithin(at, query));
  return {
    ...figures,
    leads_created: created,
    median_seconds_to_close: quantile(secondsBetween(closed), 5),
    median_seconds_to_first_contact: quantile(secondsBetween(contacted), 5),
  };
}

/** The same number of days before. */
function before({ from = '', to = '', ...query }: ReportQuery): ReportQuery {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const shift = (day: string, by: number) =>
    new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);
  return { ...query, from: shift(from, -days), to: shift(from, -1) };
}
