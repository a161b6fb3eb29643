import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { summarizeLeads } from './queries.ts';
import { openOf, report, type Scope, winRateOf } from './report.ts';
import { answerReport } from './report-file.ts';
import { toCohortValue } from './row-value.ts';
import { sumCreated } from './value-queries.ts';
import { type Window, windowBefore } from './window.ts';

export async function getAnalyticsSummary(
  { query }: Input<'getAnalyticsSummary'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsSummary'>> {
  const { body } = await report(query, context, async (scope) => {
    const before = windowBefore(scope.window);
    const previous = { from: before.from, to: before.to, ...(await summarize(scope, before)) };
    return { ...(await summarize(scope, scope.window)), previous };
  });
  return answerReport(context, 'summary', body);
}

async function summarize(
  { db, subject, leadsUrl }: Scope,
  window: Window,
): Promise<Omit<Schema<'LeadSummary'>, 'previous'>> {
  const windowed = { ...subject, begin: window.begin, end: window.end };
  const figures = await summarizeLeads(db, windowed, ['to_contacted', 'to_closed']);
  const sums = await sumCreated(db, windowed, 'none');
  return {
    leads_created: figures.leads,
    open: openOf(figures),
    won: figures.in_won,
    lost: figures.in_lost,
    win_rate: winRateOf(figures),
    median_seconds_to_first_contact: figures.to_contacted,
    median_seconds_to_close: figures.to_closed,
    by_status: {
      new: figures.in_new,
      contacted: figures.in_contacted,
      qualified: figures.in_qualified,
      won: figures.in_won,
      lost: figures.in_lost,
    },
    value: toCohortValue(sums.get('none'), (parameters) => leadsUrl(window, parameters)),
    leads_url: leadsUrl(window),
  };
}
