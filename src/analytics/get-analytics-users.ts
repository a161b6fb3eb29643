import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { truncateReport } from '../values/json-size.ts';
import { countLeadsOfUsers } from './queries.ts';
import { report, winRateOf } from './report.ts';
import { answerReport } from './report-file.ts';
import { toCohortValue } from './row-value.ts';
import { sumCreatedFor } from './value-queries.ts';

export async function getAnalyticsUsers(
  { query }: Input<'getAnalyticsUsers'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsUsers'>> {
  const { body } = await report(query, context, async ({ db, subject, window, leadsUrl }) => {
    const { rows, total } = await countLeadsOfUsers(db, subject, query.assigned_user_id);
    const sums = await sumCreatedFor(
      db,
      subject,
      'assigned_user',
      rows.map(({ id }) => id),
    );
    const performances = truncateReport(rows, ({ id, name, ...row }) => {
      const user_id = toId('user', id);
      const urlOf = (parameters: object) => leadsUrl(window, { assigned_user_id: user_id, ...parameters });
      return {
        user_id,
        name,
        assigned: row.leads,
        reached_contacted: row.reached_contacted,
        won: row.in_won,
        lost: row.in_lost,
        win_rate: winRateOf(row),
        median_seconds_to_first_contact: row.to_contacted,
        value: toCohortValue(sums.get(id), urlOf),
        leads_url: urlOf({}),
      };
    });
    return { performances, omitted: total - performances.length };
  });
  const { performances, omitted } = body.data;
  return answerReport(context, 'users', { data: performances, meta: { ...body.meta, omitted } });
}
