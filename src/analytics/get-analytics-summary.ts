import { countRows } from '../db/list/fetch-page.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { leadFilters, leads } from '../leads/queries.ts';
import { openStatuses } from '../leads/tables.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { sumClosed } from './closed-queries.ts';
import { findMedian } from './median-queries.ts';
import { closedValue, countOf, openValue } from './money.ts';
import { countCurrent, sumOpen } from './open-queries.ts';
import { rangeOf, ratio, report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';
import { ofCycles } from './subject-queries.ts';
import { type Window, windowBefore } from './window.ts';

export async function getAnalyticsSummary(
  { query }: Input<'getAnalyticsSummary'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsSummary'>> {
  const { body } = await report(query, context, async (scope) => {
    const before = windowBefore(scope.window);
    return {
      ...(await summarize(scope, scope.window)),
      ...(await summarizeOpen(scope)),
      previous: { from: before.from, to: before.to, ...(await summarize(scope, before)) },
    };
  });
  return answerReport(context, 'summary', body);
}

const toClose = { table: 'sales_cycles', from: 'opened_at', to: 'closed_at' } as const;
const toFirstContact = { table: 'leads', from: 'created_at', to: 'contacted_at' } as const;

/** What happened in the window. */
async function summarize(
  { db, subject: { conditions, cycleConditions }, leadsUrl, salesCyclesUrl }: Scope,
  window: Window,
): Promise<Omit<Schema<'SummaryPeriod'>, 'from' | 'to'>> {
  const subject = { begin: window.begin, end: window.end, conditions, cycleConditions };
  const created = conditionsOf(leadFilters, rangeOf('created', window));
  const closed = await sumClosed(db, subject);
  const won = closed.filter(({ status }) => status === 'won');
  const lost = closed.filter(({ status }) => status === 'lost');
  return {
    leads_created: await countRows(db, leads, [...created, ...conditions]),
    won: countOf(won),
    lost: countOf(lost),
    win_rate: ratio(countOf(won), countOf(closed)),
    value: closedValue({ won, lost }, (parameters) => salesCyclesUrl(window, parameters)),
    median_seconds_to_close: await findMedian(db, toClose, ofCycles(subject)),
    median_seconds_to_first_contact: await findMedian(db, toFirstContact, subject),
    leads_url: leadsUrl(window),
    sales_cycles_url: salesCyclesUrl(window, { status: 'won,lost' }),
  };
}

/** What is open now. */
async function summarizeOpen({ db, subject: { conditions }, leadsUrl }: Scope) {
  const current = await countCurrent(db, conditions);
  const [fresh, contacted, qualified] = openStatuses.map((status) => current.get(status) ?? 0) as [
    number,
    number,
    number,
  ];
  return {
    open: fresh + contacted + qualified,
    open_by_status: { new: fresh, contacted, qualified },
    open_value: openValue(await sumOpen(db, conditions), (parameters) => leadsUrl(null, parameters)),
  };
}
