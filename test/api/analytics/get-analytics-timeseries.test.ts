import { expect, it } from 'vitest';
import { getReport, happenedIn, queries, type ReportQuery, totalOf } from '../../support/analytics.ts';
import type { Cycle, Lead, World } from '../../support/analytics-world.ts';
import { createLead } from '../../support/factories.ts';
import { describeReport } from '../../support/report-promises.ts';

const intervals = ['day', 'week', 'month'];
const groupings = ['none', 'source', 'assigned_user', 'content'];

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
        group_name: nameOf(world, group),
        ...happenedIn(world, period, (row) => groupOf(row, group_by) === group),
      })),
    );
  },
  more(world, app) {
    it('has a row for each period and group, empty or not', async () => {
      const { client } = world();
      await createLead(client, { tags: ['of-rows'], status: 'won' });
      const [from, to] = [-40, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
      const query = { from: from?.slice(0, 10) ?? '', to: to?.slice(0, 10) ?? '', tag: 'of-rows' };
      const { data } = await getReport(client, 'timeseries', {
        ...query,
        interval: 'month',
        group_by: 'tag',
      });
      expect(data.length).toBeGreaterThan(1);
      expect(data.map(({ group }: { group: string }) => group)).toEqual(data.map(() => 'of-rows'));
      expect(data[0]).toMatchObject({ created: 0, won: 0, lost: 0, win_rate: null, value: [] });
      expect(data.reduce((sum: number, { won }: { won: number }) => sum + won, 0)).toBe(1);
      const nothing = { from: '1999-01-30', to: '1999-02-02', interval: 'month' };
      expect((await getReport(client, 'timeseries', nothing)).data).toHaveLength(2);
      const grouped = { ...nothing, group_by: 'company' };
      expect((await getReport(client, 'timeseries', grouped)).data).toEqual([]);
    });

    it('groups texts that differ only in case, under their most frequent spelling', async () => {
      const { client } = world();
      const tag = 'of-spellings';
      for (const lost_reason of ['Too late', 'TOO LATE', 'Too late', null, "a&b='c", '😀', 'İstanbul']) {
        await createLead(client, { tags: [tag], status: 'lost', lost_reason });
      }
      const query = { tag, group_by: 'lost_reason', interval: 'month' };
      const { data } = await getReport(client, 'timeseries', query);
      const rows = data.filter(({ lost }: { lost: number }) => lost > 0);
      expect(rows.slice(0, 1)).toMatchObject([{ group: 'Too late', lost: 3 }]);
      expect(rows).toHaveLength(5);
      for (const row of rows) {
        expect(await totalOf(client, row.sales_cycles_url), row.sales_cycles_url).toBe(row.lost);
      }
    });

    it("leaves out the groups that don't fit, and says how many rows they have", async () => {
      await app().production.knex.raw(`
        insert into leads (id, name, email, status, source, tags, company)
        select new_uuid(), 'Many', 'company-' || n || '@example.com', 'won', 'api', '{of-companies}', 'Company ' || n
        from generate_series(1, 1005) n`);
      const query = { tag: 'of-companies', group_by: 'company', interval: 'month' };
      const { data, meta } = await getReport(world().client, 'timeseries', query);
      const periods = new Set(data.map(({ period_start }: { period_start: string }) => period_start)).size;
      expect([data.length, meta.omitted]).toEqual([1_000 * periods, 5 * periods]);
      const daily = await getReport(world().client, 'timeseries', { ...query, interval: 'day' });
      expect(daily.data.length + daily.meta.omitted).toBe(1_005 * 30);
      expect(daily.data.length).toBeLessThanOrEqual(10_020);
    });
  },
});

/** Null unless the group is a user or content. */
function nameOf({ userIds, contentIds }: World, group: string | null): string | null {
  const user = userIds.indexOf(group ?? '');
  const content = contentIds.indexOf(group ?? '');
  if (user >= 0) return `User ${user}`;
  return content < 0 ? null : `Content ${content}`;
}

const fields = { source: 'source', assigned_user: 'assigned_user_id', content: 'content_id' } as const;

function groupOf(row: Lead | Cycle, grouping: string): string | null {
  return grouping === 'none' ? null : row[fields[grouping as keyof typeof fields]];
}

/** The groups with anything in the window: those with the most won first, then the most lost, then the most created. */
function groupsOf(world: World, grouping: string, query: ReportQuery): (string | null)[] {
  if (grouping === 'none') return [null];
  const groups = [...new Set([...world.facts, ...world.cycles].map((row) => groupOf(row, grouping)))];
  const figures = groups.map((group) => ({
    group,
    ...happenedIn(world, query, (row) => groupOf(row, grouping) === group),
  }));
  return figures
    .filter(
      ({ created, contacted, qualified, won, lost }) => created + contacted + qualified + won + lost > 0,
    )
    .sort(
      (a, b) =>
        b.won - a.won ||
        b.lost - a.lost ||
        b.created - a.created ||
        (String(a.group ?? '') < String(b.group ?? '') ? -1 : 1),
    )
    .map(({ group }) => group);
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
