import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { countLeads, type LeadCounts, noLeads } from './queries.ts';
import { openOf, report, type Scope, sourcesOf, winRateOf } from './report.ts';

export async function getAnalyticsSources(
  { query }: Input<'getAnalyticsSources'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsSources'>> {
  return report(query, context, async (scope) => {
    const counts = await countLeads(scope.db, scope.subject, 'source');
    return sourcesOf(query).map((source) => toRow(source, counts.get(source) ?? noLeads, scope));
  });
}

function toRow(source: Schema<'LeadSource'>, counts: LeadCounts, scope: Scope): Schema<'SourcePerformance'> {
  return {
    source,
    leads: counts.leads,
    contacted: counts.reached_contacted,
    qualified: counts.reached_qualified,
    won: counts.in_won,
    lost: counts.in_lost,
    open: openOf(counts),
    win_rate: winRateOf(counts),
    leads_url: scope.leadsUrl(scope.window, { source }),
  };
}
