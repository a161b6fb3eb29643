import { schemas } from '../../generated/limits.ts';
import { openStatuses } from '../leads/tables.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { countCurrent } from './change-queries.ts';
import { averageIn, countOf, currenciesOf, valueIn } from './money.ts';
import { rangeOf, report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';
import { type Sum, sumClosed, sumOpen } from './sum-queries.ts';

export async function getAnalyticsPipeline(
  { query }: Input<'getAnalyticsPipeline'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsPipeline'>> {
  const { body } = await report(query, context, async (scope) => {
    const { db, subject } = scope;
    const open = await sumOpen(db, subject.conditions);
    const sums = [...open, ...(await withoutValue(scope, open)), ...(await sumClosed(db, subject))];
    return schemas.LeadStatus.enum.flatMap((status) =>
      [...currenciesOf(sums), 'none'].map((currency) => {
        const own = sums.filter((sum) => sum.status === status && sum.currency === currency);
        return toRow(status, currency, own, scope);
      }),
    );
  });
  return answerReport(context, 'pipeline', body);
}

/** The open leads without a value: all leads of a status except those with a value. */
async function withoutValue({ db, subject }: Scope, valued: readonly Sum[]): Promise<Sum[]> {
  const current = await countCurrent(db, subject.conditions);
  return openStatuses.map((status) => {
    const own = valued.filter((sum) => sum.status === status);
    return { status, currency: 'none', leads: (current.get(status) ?? 0) - countOf(own), amount: '0' };
  });
}

function toRow(
  status: Schema<'LeadStatus'>,
  currency: string,
  sums: readonly Sum[],
  { window, leadsUrl }: Scope,
): Schema<'PipelineRow'> {
  const isNone = currency === 'none';
  const isOpen = openStatuses.some((open) => open === status);
  return {
    status,
    currency: isNone ? null : currency,
    leads: countOf(sums),
    amount: isNone ? null : valueIn(currency, sums),
    average_amount: isNone ? null : averageIn(currency, sums),
    leads_url: leadsUrl(null, { status, currency, ...(!isOpen && rangeOf('status_changed', window)) }),
  };
}
