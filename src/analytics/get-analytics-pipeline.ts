import { openStatuses } from '../leads/tables.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { localDate } from '../values/timezone.ts';
import { averageIn, countOf, currenciesOf, valueIn } from './money.ts';
import { countCurrent, type OpenSum, sumOpen } from './open-queries.ts';
import { report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';

export async function getAnalyticsPipeline(
  { query }: Input<'getAnalyticsPipeline'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsPipeline'>> {
  const today = localDate(Date.now(), query.timezone ?? 'UTC');
  const { body } = await report({ ...query, from: today, to: today }, context, async (scope) => {
    const valued = await sumOpen(scope.db, scope.subject.conditions);
    const sums = [...valued, ...(await withoutValue(scope, valued))];
    return openStatuses.flatMap((status) =>
      [...currenciesOf(sums), null].map((currency) => {
        const own = sums.filter((sum) => sum.status === status && sum.currency === currency);
        return toRow(status, currency, own, scope);
      }),
    );
  });
  return answerReport(context, 'pipeline', body);
}

/** The open leads without a value: all leads of a status except those with a value. */
async function withoutValue({ db, subject }: Scope, valued: readonly OpenSum[]): Promise<OpenSum[]> {
  const current = await countCurrent(db, subject.conditions);
  return openStatuses.map((status) => {
    const own = valued.filter((sum) => sum.status === status);
    return { status, currency: null, total: (current.get(status) ?? 0) - countOf(own), amount: null };
  });
}

function toRow(
  status: OpenSum['status'],
  currency: string | null,
  sums: readonly OpenSum[],
  { leadsUrl }: Scope,
): Schema<'PipelineRow'> {
  return {
    status,
    currency,
    leads: countOf(sums),
    amount: currency && valueIn(currency, sums),
    average_amount: currency && averageIn(currency, sums),
    leads_url: leadsUrl(null, { status, currency: currency ?? 'none' }),
  };
}
