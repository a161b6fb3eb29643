import { expect, it } from 'vitest';
import { cohortOf, count, getReport, queries, reached, winRate } from '../../support/analytics.ts';
import { type CountableFilter, sources } from '../../support/analytics-world.ts';
import { createLead } from '../../support/factories.ts';
import { worthOf } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

/** The row of these leads. */
function rowOf(leads: CountableFilter[]) {
  return {
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
}

const details = [
  'Trade show Berlin',
  'trade show berlin',
  ' two  spaces',
  'Ads, "spring" & more',
  '=cmd()',
  '😀',
];

describeReport('sources', {
  main: 'leads',
  queries: [...queries, ...queries.map((query) => ({ ...query, by: 'source_detail' }))],
  async prepare(app, { facts }) {
    for (const [number, { email }] of facts.entries()) {
      const source_detail = details[number % (details.length + 3)] ?? null;
      await app.production.knex('leads').where({ email }).update({ source_detail });
    }
  },
  expected(world, query) {
    const cohort = cohortOf(world.facts, query);
    if (query.by !== 'source_detail') {
      const asked = sources.filter((source) => query.source?.split(',').includes(source) ?? true);
      return asked.map((source) => ({
        source,
        source_detail: null,
        ...rowOf(cohort.filter((lead) => lead.source === source)),
      }));
    }
    const keyOf = ({ source, source_detail }: CountableFilter) => [source, source_detail].join(' ').trimEnd();
    const groups = [...Map.groupBy(cohort, keyOf)].toSorted(
      ([a, one], [b, two]) => two.length - one.length || Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    return groups.map(([, leads]) => {
      const [first] = leads as [CountableFilter];
      return { source: first.source, source_detail: first.source_detail, ...rowOf(leads) };
    });
  },
  more(world, app) {
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

    it("counts source details that don't fit on it", async () => {
      await app().production.knex.raw(`
        insert into leads (id, name, email, status, source, tags, source_detail)
        select new_uuid(), 'Many', 'detail-' || n, 'new', 'api', '{of-many-details}', 'Detail ' || n
        from generate_series(1, 1005) n`);
      const query = { tag: 'of-many-details', by: 'source_detail' };
      const { data, meta } = await getReport(world().client, 'sources', query);
      expect([data.length, meta.omitted]).toEqual([1_000, 5]);
    });
  },
});
