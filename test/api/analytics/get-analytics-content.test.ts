import { expect, it } from 'vitest';
import { cohortOf, count, getReport, queries, reached, totalOf, winRate } from '../../support/analytics.ts';
import { worthOf } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';
import { content, make } from '../../support/resources.ts';

describeReport('content', {
  main: 'leads',
  expected({ facts, contentIds }, query) {
    const rows = contentIds.map((content_id, number) => {
      const leads = cohortOf(facts, query).filter((lead) => lead.content_id === content_id);
      return {
        content_id,
        title: `Content ${number}`,
        type: 'ebook',
        status: 'draft',
        leads: leads.length,
        reached_qualified: reached(leads, 'qualified'),
        won: count(leads, 'won'),
        lost: count(leads, 'lost'),
        win_rate: winRate(leads),
        value: worthOf(leads),
        leads_url: expect.any(String),
      };
    });
    const found = rows.filter(({ leads }) => leads > 0);
    return found.toSorted((a, b) => b.leads - a.leads || (a.content_id < b.content_id ? -1 : 1));
  },
  more(world, app) {
    it('shows published content that has brought nothing', async () => {
      const { client } = world();
      const { id } = await make(client, content, { title: 'Read by nobody' });
      await client.post(`/content/${id}/publish`).expect(200);
      const query = { from: '1999-01-01', to: '1999-01-31' };
      const { data } = await getReport(client, 'content', query);
      expect(data).toMatchObject([{ content_id: id, leads: 0, win_rate: null, status: 'published' }]);
      expect(await totalOf(client, data[0].leads_url)).toBe(0);
      expect((await getReport(client, 'content', { ...query, content_id: id })).data).toHaveLength(1);
      expect((await getReport(client, 'content', { ...query, content_id: 'none' })).data).toEqual([]);
    });

    it("counts leads that don't fit on it", async () => {
      await app().production.knex.raw(`
        insert into content (id, title, slug, type, status)
        select gen_random_uuid(), 'Many', 'many-' || number, 'other', 'published'
        from generate_series(1, 1000) as number`);
      const { data, meta } = await getReport(world().client, 'content', queries[0] ?? {});
      expect(data).toHaveLength(1000);
      // Content with leads comes first; of the content without leads, 4 of 1,001 are left out.
      const ranked = data.slice(0, 3).map(({ content_id }: { content_id: string }) => content_id);
      expect(ranked.toSorted()).toEqual(world().contentIds.toSorted());
      const leads = cohortOf(world().facts, queries[0] ?? {}).filter(
        ({ content_id }) => content_id === ranked[0],
      );
      expect(data[0].leads).toBe(leads.length);
      expect(meta.omitted).toBe(4);
    });
  },
});
