import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { truncateReport } from '../values/json-size.ts';
import { countLeadsOfContent } from './queries.ts';
import { report, winRateOf } from './report.ts';
import { answerReport } from './report-file.ts';
import { toCohortValue } from './row-value.ts';
import { sumCreatedFor } from './value-queries.ts';

export async function getAnalyticsContent(
  { query }: Input<'getAnalyticsContent'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsContent'>> {
  const { body } = await report(query, context, async ({ db, subject, window, leadsUrl }) => {
    const { rows, total } = await countLeadsOfContent(db, subject, query.content_id);
    const sums = await sumCreatedFor(
      db,
      subject,
      'content',
      rows.map(({ id }) => id),
    );
    const performances = truncateReport(rows, ({ id, title, type, status, ...row }) => {
      const content_id = toId('content', id);
      const urlOf = (parameters: object) => leadsUrl(window, { content_id, ...parameters });
      return {
        content_id,
        title,
        type,
        status,
        leads: row.leads,
        reached_qualified: row.reached_qualified,
        won: row.in_won,
        lost: row.in_lost,
        win_rate: winRateOf(row),
        value: toCohortValue(sums.get(id), urlOf),
        leads_url: urlOf({}),
      };
    });
    return { performances, omitted: total - performances.length };
  });
  const { performances, omitted } = body.data;
  return answerReport(context, 'content', { data: performances, meta: { ...body.meta, omitted } });
}
