import { expect, it } from 'vitest';
import {
  cohortOf,
  count,
  firstAt,
  getReport,
  quantile,
  type ReportQuery,
  secondsBetween,
  winRate,
} from '../../support/analytics.ts';
import type { CountableFilter } from '../../support/analytics-world.ts';
import { worthOf } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

describeReport('summary', {
  main: 'leads_created',
  expected({ facts }, query) {
    // Apia had no 2011-12-30: the day before its 31st is the 29th.
    const isAfterGap = query.from === '2011-12-31';
    const earlier = isAfterGap ? { ...query, from: '2011-12-29', to: '2011-12-29' } : before(query);
    return {
      ...summaryOf(cohortOf(facts, query)),
      previous: { from: earlier.from, to: earlier.to, ...summaryOf(cohortOf(facts, earlier)) },
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

function summaryOf(leads: CountableFilter[]) {
  const created = ({ created_at }: CountableFilter) => Date.parse(created_at);
  const closed = leads.filter(({ status }) => status === 'won' || status === 'lost');
  return {
    leads_created: leads.length,
    open: count(leads, 'new', 'contacted', 'qualified'),
    won: count(leads, 'won'),
    lost: count(leads, 'lost'),
    win_rate: winRate(leads),
    median_seconds_to_first_contact: quantile(
      secondsBetween(leads.map((lead) => [created(lead), firstAt(lead, 'contacted')])),
      5,
    ),
    median_seconds_to_close: quantile(
      secondsBetween(closed.map((lead) => [created(lead), Date.parse(lead.status_changed_at)])),
      5,
    ),
    by_status: {
      new: count(leads, 'new'),
      contacted: count(leads, 'contacted'),
      qualified: count(leads, 'qualified'),
      won: count(leads, 'won'),
      lost: count(leads, 'lost'),
    },
    value: worthOf(leads),
    leads_url: expect.any(String),
  };
}

/** The same number of days before. */
function before({ from = '', to = '', ...query }: ReportQuery): ReportQuery {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const shift = (day: string, by: number) =>
    new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);
  return { ...query, from: shift(from, -days), to: shift(from, -1) };
}
