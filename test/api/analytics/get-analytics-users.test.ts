import { expect, it } from 'vitest';
import {
  cohortOf,
  count,
  firstAt,
  getReport,
  quantile,
  reached,
  secondsBetween,
  winRate,
} from '../../support/analytics.ts';
import { worthOf } from '../../support/money.ts';
import { describeReport } from '../../support/report-promises.ts';

describeReport('users', {
  main: 'assigned',
  expected({ facts, userIds }, query) {
    if (query.assigned_user_id === 'none') return [];
    const rows = userIds.map((user_id, number) => {
      const assigned = cohortOf(facts, query).filter((lead) => lead.assigned_user_id === user_id);
      const waits = assigned.map(
        (lead) => [Date.parse(lead.created_at), firstAt(lead, 'contacted')] as const,
      );
      return {
        user_id,
        name: `User ${number}`,
        assigned: assigned.length,
        reached_contacted: reached(assigned, 'contacted'),
        won: count(assigned, 'won'),
        lost: count(assigned, 'lost'),
        win_rate: winRate(assigned),
        median_seconds_to_first_contact: quantile(secondsBetween(waits), 5),
        value: worthOf(assigned),
        leads_url: expect.any(String),
      };
    });
    return rows.toSorted((a, b) => b.assigned - a.assigned || (a.user_id < b.user_id ? -1 : 1));
  },
  more(world) {
    it('shows an inactive user only with leads or if requested', async () => {
      const { client, userIds } = world();
      const [first, second] = userIds as [string, string];
      await client.patch(`/users/${first}`, { active: false }).expect(200);
      const seen = async (query: Record<string, string>) => {
        const { data } = await getReport(client, 'users', query);
        return data.map(({ user_id }: { user_id: string }) => user_id);
      };
      expect(await seen({ from: '1999-01-01', to: '1999-01-31' })).not.toContain(first);
      const year = { from: '2026-01-01', to: '2026-12-31' };
      expect(await seen(year)).toContain(first);
      expect(await seen({ ...year, assigned_user_id: second })).toEqual([second]);
    });
  },
});
