import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { truncateReport } from '../values/json-size.ts';
import { countLeadsOfContent } from './queries.ts';
import { report, winRateOf } from './report.ts';

export async function getAnalyticsContent(
  { query }: Input<'getAnalyticsContent'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsContent'>> {
  const { body } = await report(query, context, async ({ db, subject, window, leadsUrl }) => {
    const { rows, omitted } = await countLeadsOfContent(db, subject, query.content_id);
    const performances = rows.map(({ title, type, status, ...row }) => {
      const content_id = toId('content', row.id);
      return {
        content_id,
        title,
        type,
        status,
        leads: row.leads,
        qualified: row.reached_qualified,
        won: row.in_won,
        lost: row.in_lost,
        win_rate: winRateOf(row),
        leads_url: leadsUrl(window, { content_id }),
      };
    });
    const shown = truncateReport(performances);
    return { performances: shown, omitted: omitted + performances.length - shown.length };
  });
  const { performances, omitted } = body.data;
  return { status: 200, body: { data: performances, meta: { ...body.meta, omitted } } };
}
