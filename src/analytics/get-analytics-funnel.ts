import type { Input, OperationContext, Result } from '../operation.ts';
import { measureCohort } from './cohort-queries.ts';
import { ratio, report } from './report.ts';
import { answerReport } from './report-file.ts';

export async function getAnalyticsFunnel(
  { query }: Input<'getAnalyticsFunnel'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsFunnel'>> {
  const { body } = await report(query, context, async ({ db, subject, window, leadsUrl }) => {
    const cohort = await measureCohort(db, subject);
    const stages = [
      { status: 'new' as const, seconds: null },
      { status: 'contacted' as const, seconds: cohort.to_contacted },
      { status: 'qualified' as const, seconds: cohort.to_qualified },
      { status: 'won' as const, seconds: cohort.to_won },
    ];
    return {
      stages: stages.map(({ status, seconds }, index) => {
        const before = stages[index - 1];
        return {
          status,
          reached: cohort[status],
          share_of_cohort: ratio(cohort[status], cohort.leads),
          rate_from_previous: ratio(cohort[status], before === undefined ? 0 : cohort[before.status]),
          median_seconds_from_previous: seconds,
          leads_url: leadsUrl(window, { reached: status }),
        };
      }),
      lost: cohort.lost,
      open: cohort.open,
    };
  });
  return answerReport(context, 'funnel', body);
}
