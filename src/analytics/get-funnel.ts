import type { Input, OperationContext, Result } from '../http/operation.ts';
import { countLeads, medianSeconds, noLeads } from './queries.ts';
import { openOf, ratio, report } from './report.ts';

export async function getFunnel(
  { query }: Input<'getFunnel'>,
  context: OperationContext,
): Promise<Result<'getFunnel'>> {
  const { data, meta } = await report(query, context, async ({ db, subject, window, leadsUrl }) => {
    const counts = (await countLeads(db, subject, 'none')).get('none') ?? noLeads;
    const medians = await medianSeconds(db, subject, ['to_contacted', 'to_qualified', 'to_won']);
    const stages = [
      { status: 'new' as const, reached: counts.reached_new, seconds: undefined },
      {
        status: 'contacted' as const,
        reached: counts.reached_contacted,
        seconds: medians.to_contacted,
      },
      {
        status: 'qualified' as const,
        reached: counts.reached_qualified,
        seconds: medians.to_qualified,
      },
      { status: 'won' as const, reached: counts.reached_won, seconds: medians.to_won },
    ];
    return {
      stages: stages.map(({ status, reached, seconds }, index) => ({
        status,
        reached,
        share_of_cohort: ratio(reached, counts.leads),
        rate_from_previous: ratio(reached, stages[index - 1]?.reached ?? 0),
        median_seconds_from_previous: seconds ?? null,
        leads_url: leadsUrl(window, { reached: status }),
      })),
      lost: counts.in_lost,
      open: openOf(counts),
    };
  });
  return { status: 200, body: { data, meta } };
}
