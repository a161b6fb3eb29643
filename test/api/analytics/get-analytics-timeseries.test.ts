import { expect, it } from 'vitest';
import { firstAt, getReport, isWithin, meets, queries, type ReportQuery } from '../../support/analytics.ts';
import { type CountableFilter, sources, statuses, type World } from '../../support/analytics-world.ts';
import { worthOf } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

const intervals = ['day', 'week', 'month'];
const groupings = ['none', 'source', 'status', 'assigned_user'];

describeReport('timeseries', {
  queries: queries
    .filter(({ from = '', to = '' }) => Date.parse(to) - Date.parse(from) < 1e10)
    .flatMap((query, index) =>
      groupings.map((group_by, turn) => ({
        ...query,
        group_by,
        interval: intervals[(index + turn) % 3] ?? '',
      })),
    ),
  main: 'created',
  expected(world, { group_by = '', interval = '', ...query }) {
    const groups = groupsOf(world, group_by, query);
    return periodsOf(interval, query).flatMap((period) =>
      groups.map((group) => ({
        period_start: period.from,
        period_end: period.to,
        group,
        group_name: userName(world, group),
        ...countsOf(world, period, group, group_by),
        leads_url: expect.any(String),
      })),
    );
  },
  more(world) {
    it('has a row for each group, empty or not', async () => {
      const query = { from: '1999-01-30', to: '1999-02-02', interval: 'month', group_by: 'status' };
      const { data } = await getReport(world().client, 'timeseries', query);
      const seen = data.map(({ period_start, period_end, group, created }: Record<string, string>) => [
        period_start,
        period_end,
        group,
        created,
      ]);
      expect(seen).toEqual([
        ...statuses.map((status) => ['1999-01-30', '1999-01-31', status, 0]),
        ...statuses.map((status) => ['1999-02-01', '1999-02-02', status, 0]),
      ]);
    });
  },
});

/** Null unless the group is a user. */
function userName({ userIds }: World, group: string | null): string | null {
  const number = userIds.indexOf(group ?? '');
  return number < 0 ? null : `User ${number}`;
}

function groupOf(lead: CountableFilter, grouping: string): string | null {
  if (grouping === 'none') return null;
  return grouping === 'assigned_user' ? (lead.assigned_user_id ?? 'none') : lead[grouping as 'source'];
}

/** What was won in the period and still is, and what was created in it and is open. */
function valueIn(leads: readonly CountableFilter[], happened: (at: number) => boolean) {
  const won = leads.filter(
    ({ status, status_changed_at }) => status === 'won' && happened(Date.parse(status_changed_at)),
  );
  const open = leads.filter(
    ({ status, created_at }) => !['won', 'lost'].includes(status) && happened(Date.parse(created_at)),
  );
  return worthOf([], { won, open });
}

/** Users with anything in the window. Leads without an assignee come last. */
function groupsOf(world: World, grouping: string, query: ReportQuery): (string | null)[] {
  if (grouping === 'none') return [null];
  if (grouping === 'status') return [...statuses];
  if (grouping === 'source')
    return sources.filter((source) => query.source?.split(',').includes(source) ?? true);
  return [...world.userIds.toSorted(), 'none'].filter((group) =>
    Object.values(countsOf(world, query, group, grouping)).some((figure) =>
      typeof figure === 'number' ? figure > 0 : figure.length > 0,
    ),
  );
}

/** Changes between these days to the group's leads that match the filters. */
function countsOf(world: World, query: ReportQuery, group: string | null, grouping: string) {
  const leads = world.facts.filter((lead) => meets(lead, query) && groupOf(lead, grouping) === group);
  const happened = (at: number | undefined) => at !== undefined && isWithin(at, query);
  const first = (status: 'contacted' | 'qualified' | 'won' | 'lost') =>
    leads.filter((lead) => happened(firstAt(lead, status))).length;
  return {
    created: leads.filter(({ created_at }) => happened(Date.parse(created_at))).length,
    first_contacted: first('contacted'),
    first_qualified: first('qualified'),
    first_won: first('won'),
    first_lost: first('lost'),
    value: valueIn(leads, happened),
  };
}

/** The periods of the window, without the day that Apia skipped. */
function periodsOf(interval: string, query: ReportQuery): (ReportQuery & { from: string; to: string })[] {
  const days: string[] = [];
  for (let at = Date.parse(query.from ?? ''); at <= Date.parse(query.to ?? ''); at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  const begins = (day: string) =>
    ({ day: true, week: new Date(day).getUTCDay() === 1, month: day.endsWith('-01') })[interval];
  const firsts = days.filter((day) => day === query.from || begins(day));
  return firsts
    .map((from, index) => {
      const next = days.indexOf(firsts[index + 1] ?? '');
      return { ...query, from, to: days.at(next - (next === -1 ? 0 : 1)) ?? from };
    })
    .filter(({ from, to }) => query.timezone !== 'Pacific/Apia' || from !== to || from !== '2011-12-30');
}
