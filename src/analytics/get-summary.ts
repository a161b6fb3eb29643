import type { Input, OperationContext, Result, Schema } from '../http/operation.ts';
import { countLeads, medianSeconds, noLeads } from './queries.ts';
import { openOf, report, type Scope, winRateOf } from './report.ts';
import { type Window, windowBefore } from './window.ts';

export async function getSummary(
  { query }: Input<'getSummary'>,
  context: OperationContext,
): Promise<Result<'getSummary'>> {
  const { data, meta } = await report(query, context, async (scope) => {
    const before = windowBefore(scope.window);
    const previous = { from: before.from, to: before.to, ...(await summarize(scope, before)) };
    return { ...(await summarize(scope, scope.window)), previous };
  });
  return { status: 200, body: { data, meta } };
}

async function summarize(
  { db, subject, leadsUrl }: Scope,
  window: Window,
): Promise<Omit<Schema<'LeadSummary'>, 'previous'>> {
  const windowed = { ...subject, begin: window.begin, end: window.end };
  const counts = (await countLeads(db, windowed, 'none')).get('none') ?? noLeads;
  const medians = await medianSeconds(db, windowed, ['to_contacted', 'to_closed']);
  return {
    leads_created: counts.leads,
    open: openOf(counts),
    won: counts.in_won,
    lost: counts.in_lost,
    win_rate: winRateOf(counts),
    median_seconds_to_first_contact: medians.to_contacted ?? null,
    median_seconds_to_close: medians.to_closed ?? null,
    by_status: {
      new: counts.in_new,
      contacted: counts.in_contacted,
      qualified: counts.in_qualified,
      won: counts.in_won,
      lost: counts.in_lost,
    },
    leads_url: leadsUrl(window),
  };
}
