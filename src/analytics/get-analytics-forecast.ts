import { openStatuses } from '../leads/tables.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { localDate } from '../values/timezone.ts';
import { countOf, currenciesOf, type Odds, valueIn, weightedIn } from './money.ts';
import { rangeOf, ratio, report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';
import { type Sum, sumClosed, sumOpenByMonth } from './sum-queries.ts';
import { addDays, addMonths } from './window.ts';

/** Days that the win rates are computed from, including today. */
const WIN_RATE_DAYS = 365;

export async function getAnalyticsForecast(
  { query }: Input<'getAnalyticsForecast'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsForecast'>> {
  const { months: count, timezone = 'UTC', ...filters } = query;
  const today = localDate(Date.now(), timezone);
  const window = { from: addDays(today, 1 - WIN_RATE_DAYS), to: today, timezone };
  const { body } = await report({ ...filters, ...window }, context, async (scope) => {
    const { db, subject } = scope;
    const first = today.slice(0, 7);
    const months = Array.from({ length: count }, (_, index) => addMonths(first, index));
    const end = addMonths(first, count);
    const sums = await sumOpenByMonth(db, subject.conditions, { first, end });
    const decisions = await countDecisions(scope);
    const kinds: Kind[] = [
      { period: 'overdue', month: null, filter: { expected_close_to: addDays(`${first}-01`, -1) } },
      ...months.map((month) => ({ period: 'month' as const, month, filter: daysOf(month) })),
      { period: 'later', month: null, filter: { expected_close_from: `${end}-01` } },
      { period: 'none', month: null, filter: { expected_close_on: 'none' } },
    ];
    return {
      win_rates: decisions.map((decision) => toWinRate(decision, scope)),
      periods: currenciesOf(sums).flatMap((currency) =>
        kinds.map((kind) => {
          const own = sums.filter(
            (sum) => sum.currency === currency && sum.key === (kind.month ?? kind.period),
          );
          return toPeriod(kind, currency, own, decisions, scope);
        }),
      ),
    };
  });
  return answerReport(context, 'forecast', body);
}

interface Kind {
  period: Schema<'ForecastPeriod'>['period'];
  month: string | null;
  /** The filters of the list of these leads. */
  filter: Record<string, string>;
}

function daysOf(month: string): Record<string, string> {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  return { expected_close_from: `${month}-01`, expected_close_to: last };
}

type Decision = Odds & { status: (typeof openStatuses)[number] };

/**
 * For each status: the leads that ever reached it or a later one, and were won or lost in the window. Every lead was at least
 * new, even one that was created as lost and so has `reached` none.
 */
async function countDecisions({ db, subject }: Scope): Promise<Decision[]> {
  const closed = await sumClosed(db, subject);
  const stages = ['none', ...openStatuses, 'won'];
  return openStatuses.map((status) => {
    const first = status === 'new' ? 'none' : status;
    const reached = closed.filter((sum) => stages.indexOf(sum.reached) >= stages.indexOf(first));
    return {
      status,
      won: countOf(reached.filter((sum) => sum.status === 'won')),
      decided: countOf(reached),
    };
  });
}

function toWinRate(
  { status, won, decided }: Decision,
  { window, leadsUrl }: Scope,
): Schema<'ForecastWinRate'> {
  return {
    status,
    decided,
    won,
    win_rate: ratio(won, decided),
    leads_url: leadsUrl(null, {
      status: 'won,lost',
      ...(status !== 'new' && { reached: status }),
      ...rangeOf('status_changed', window),
    }),
  };
}

function toPeriod(
  { period, month, filter }: Kind,
  currency: string,
  sums: readonly Sum[],
  decisions: readonly Decision[],
  { leadsUrl }: Scope,
): Schema<'ForecastPeriod'> {
  return {
    period,
    month,
    currency,
    leads: countOf(sums),
    amount: valueIn(currency, sums),
    weighted_amount: weightedIn(currency, sums, decisions),
    leads_url: leadsUrl(null, { status: openStatuses.join(), currency, ...filter }),
  };
}
