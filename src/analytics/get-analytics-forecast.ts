import { openStatuses } from '../leads/tables.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { localDate } from '../values/timezone.ts';
import { type ClosedSum, sumClosed } from './closed-queries.ts';
import { countOf, currenciesOf, type Odds, valueIn, weightedIn } from './money.ts';
import { type OpenSum, sumOpenByMonth } from './open-queries.ts';
import { ratio, report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';
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

const stages = [...openStatuses, 'won'] as const;

/**
 * For each status: the sales cycles closed in the window that ever reached it or a later one. Nobody knows how far those came
 * that arrived as lost, so they count for each status, as those that arrived as won do.
 */
async function countDecisions({ db, subject }: Scope): Promise<Decision[]> {
  const closed = await sumClosed(db, subject);
  return openStatuses.map((status) => {
    const reached = closed.filter((sum) => furthestFrom(status).includes(sum.reached));
    return {
      status,
      won: countOf(reached.filter((sum) => sum.status === 'won')),
      decided: countOf(reached),
    };
  });
}

/** The furthest statuses of cycles that count for a status. */
function furthestFrom(status: Decision['status']): ClosedSum['reached'][] {
  return [...stages.slice(stages.indexOf(status)), 'none'];
}

function toWinRate(
  { status, won, decided }: Decision,
  { window, salesCyclesUrl }: Scope,
): Schema<'ForecastWinRate'> {
  return {
    status,
    decided,
    won,
    win_rate: ratio(won, decided),
    sales_cycles_url: salesCyclesUrl(window, {
      status: 'won,lost',
      furthest_status: furthestFrom(status).join(),
    }),
  };
}

function toPeriod(
  { period, month, filter }: Kind,
  currency: string,
  sums: readonly OpenSum[],
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
