import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { truncateReport } from '../values/json-size.ts';
import { countLeadsOfUsers } from './queries.ts';
import { report, winRateOf } from './report.ts';

export async function getAnalyticsUsers(
  { query }: Input<'getAnalyticsUsers'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsUsers'>> {
  const { body } = await report(query, context, async ({ db, subject, window, leadsUrl }) => {
    const { rows, omitted } = await countLeadsOfUsers(db, subject, query.assigned_user_id);
    const performances = rows.map(({ name, ...row }) => {
      const user_id = toId('user', row.id);
      return {
        user_id,
        name,
        assigned: row.leads,
        contacted: row.reached_contacted,
        won: row.in_won,
        lost: row.in_lost,
        win_rate: winRateOf(row),
        median_seconds_to_first_contact: row.to_contacted,
        leads_url: leadsUrl(window, { assigned_user_id: user_id }),
      };
    });
    const shown = truncateReport(performances);
    return { performances: shown, omitted: omitted + performances.length - shown.length };
  });
  const { performances, omitted } = body.data;
  return { status: 200, body: { data: performances, meta: { ...body.meta, omitted } } };
}
