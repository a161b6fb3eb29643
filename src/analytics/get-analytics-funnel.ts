import type { Input, OperationContext, Result } from '../operation.ts';
import { summarizeLeads } from './queries.ts';
import { openOf, ratio, report } from './report.ts';
import { answerReport } from './report-file.ts';

export async function getAnalyticsFunnel(
  { query }: Input<'getAnalyticsFunnel'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsFunnel'>> {
  const { body } = await report(query, context, async ({ db, subject, window, leadsUrl }) => {
    const figures = await summarizeLeads(db, subject, ['to_contacted', 'to_qualified', 'to_won']);
    const stages = [
      { status: 'new' as const, reached: figures.reached_new, seconds: null },
      { status: 'contacted' as const, reached: figures.reached_contacted, seconds: figures.to_contacted },
      { status: 'qualified' as const, reached: figures.reached_qualified, seconds: figures.to_qualified },
      { status: 'won' as const, reached: figures.reached_won, seconds: figures.to_won },
    ];
    return {
      stages: stages.map(({ status, reached, seconds }, index) => ({
        status,
        reached,
        share_of_cohort: ratio(reached, figures.leads),
        rate_from_previous: ratio(reached, stages[index - 1]?.reached ?? 0),
        median_seconds_from_previous: seconds,
        leads_url: leadsUrl(window, { reached: status }),
      })),
      lost: figures.in_lost,
      open: openOf(figures),
    };
  });
  return answerReport(context, 'funnel', body);
}
