import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { truncateReport } from '../values/json-size.ts';
import { type LostSum, sumLost } from './lost-queries.ts';
import { countOf, currenciesOf, valueIn } from './money.ts';
import { rangeOf, ratio, report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';

export async function getAnalyticsLostReasons(
  { query }: Input<'getAnalyticsLostReasons'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsLostReasons'>> {
  const { body } = await report(query, context, async (scope) => {
    const sums = await sumLost(scope.db, scope.subject);
    const byReason = [...Map.groupBy(sums, ({ key }) => key).values()] as Sums[];
    const rows = truncateReport(byReason, (own) => toRow(own, scope));
    return { rows, omitted: (sums[0]?.reasons ?? 0) - rows.length };
  });
  const { rows, omitted } = body.data;
  return answerReport(context, 'lost-reasons', { data: rows, meta: { ...body.meta, omitted } });
}

/** The sums of one reason. */
type Sums = [LostSum, ...LostSum[]];

function toRow(sums: Sums, { window, leadsUrl }: Scope): Schema<'LostReasonRow'> {
  const [{ key, lost_reason, total, all }] = sums;
  // The filter compares case-insensitively, but for `none`.
  const reason = lost_reason === null ? 'none' : key === 'none' ? 'NONE' : lost_reason;
  const urlOf = (parameters: Record<string, string>) =>
    leadsUrl(null, {
      status: 'lost',
      lost_reason: reason,
      ...parameters,
      ...rangeOf('status_changed', window),
    });
  return {
    lost_reason,
    leads: total,
    share_of_lost: ratio(total, all) ?? 0,
    value: currenciesOf(sums).map((currency) => {
      const own = sums.filter((sum) => sum.currency === currency);
      const lost = {
        leads: countOf(own),
        amount: valueIn(currency, own),
        leads_url: urlOf({ currency }),
      };
      return { currency, lost };
    }),
    leads_url: urlOf({}),
  };
}
