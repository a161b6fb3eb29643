import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { countLeads, type LeadCounts, noLeads } from './queries.ts';
import { openOf, report, type Scope, sourcesOf, winRateOf } from './report.ts';
import { toCohortValue } from './row-value.ts';
import { type GroupSum, sumCreated } from './value-queries.ts';

export async function getAnalyticsSources(
  { query }: Input<'getAnalyticsSources'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsSources'>> {
  return report(query, context, async (scope) => {
    const counts = await countLeads(scope.db, scope.subject, 'source');
    const sums = await sumCreated(scope.db, scope.subject, 'source');
    return sourcesOf(query).map((source) =>
      toRow(source, counts.get(source) ?? noLeads, sums.get(source) ?? [], scope),
    );
  });
}

function toRow(
  source: Schema<'LeadSource'>,
  counts: LeadCounts,
  sums: readonly GroupSum[],
  { window, leadsUrl }: Scope,
): Schema<'SourcePerformance'> {
  return {
    source,
    leads: counts.leads,
    reached_contacted: counts.reached_contacted,
    reached_qualified: counts.reached_qualified,
    won: counts.in_won,
    lost: counts.in_lost,
    open: openOf(counts),
    win_rate: winRateOf(counts),
    value: toCohortValue(sums, (parameters) => leadsUrl(window, { source, ...parameters })),
    leads_url: leadsUrl(window, { source }),
  };
}
