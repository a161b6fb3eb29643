import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidParameter } from '../problem.ts';
import { fittingReport, jsonBytes } from '../values/json-size.ts';
import { mapInSlices } from '../values/slices.ts';
import { everything, findGroups, type Group, toCounts } from './groups.ts';
import { currenciesOf } from './money.ts';
import { report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';
import { periodsOf, type Window } from './window.ts';

/** More don't fit into a report. */
const MAX_ROWS = 10_000;
const MAX_GROUPS = 1_000;
/** A cell with the most digits. */
const widest = { kind: 'won', currency: 'EUR', total: 1_000_000_000, amount: '9'.repeat(21) } as const;

export async function getAnalyticsTimeseries(
  { query }: Input<'getAnalyticsTimeseries'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsTimeseries'>> {
  const { interval, group_by } = query;
  const { body } = await report(query, context, async (scope) => {
    const periods = await periodsOf(scope.window, interval);
    const begins = periods.map(({ begin }) => begin);
    const limit = Math.min(MAX_GROUPS, Math.ceil(MAX_ROWS / periods.length));
    const { groups, total } = await findGroups(scope, query, { begins, withOpen: false, limit });
    const all = group_by === 'none' && groups.length === 0 ? [everything] : groups;
    const shown = fittingReport(all, (group) => bytesOf(group, periods, scope));
    if (shown.length === 0 && all.length > 0) {
      const message = `gives ${periods.length} periods, which is more than 4 MiB; choose longer periods or fewer days`;
      throw invalidParameter('interval', message);
    }
    const byPeriod = shown.map((group) => Map.groupBy(group.cells, ({ period }) => period));
    const points = await mapInSlices(periods.entries(), ([index, period]) =>
      shown.map((group, place) =>
        toPoint(period, { ...group, cells: byPeriod[place]?.get(index + 1) ?? [] }, scope),
      ),
    );
    return { points: points.flat(), omitted: Math.max(0, total - shown.length) * periods.length };
  });
  const { points, omitted } = body.data;
  return answerReport(context, 'timeseries', { data: points, meta: { ...body.meta, omitted } });
}

/** The size of the group's rows, estimated before they are built. */
function bytesOf(group: Group, periods: readonly Window[], scope: Scope): number {
  const [first] = periods as [Window];
  const row = (cells: Group['cells']) => jsonBytes(toPoint(first, { ...group, cells }, scope));
  const empty = row([]);
  const cells = Map.groupBy(group.cells, ({ period }) => period);
  const sums = [...cells.values()].reduce((count, own) => count + currenciesOf(own).length, 0);
  const [cell] = group.cells;
  const sum = cell === undefined ? 0 : row([{ ...cell, ...widest }]) - empty;
  return periods.length * (empty + 1) + sums * sum;
}

function toPoint(
  period: Window,
  { id, name, cells, filters }: Group,
  { leadsUrl, salesCyclesUrl }: Scope,
): Schema<'TimeseriesPoint'> {
  return {
    period_start: period.from,
    period_end: period.to,
    group: id,
    group_name: name,
    ...toCounts(cells, (parameters) => salesCyclesUrl(period, { ...filters, ...parameters })),
    leads_url: leadsUrl(period, filters),
    sales_cycles_url: salesCyclesUrl(period, { ...filters, status: 'won,lost' }),
  };
}
