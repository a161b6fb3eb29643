import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { truncateReport } from '../values/json-size.ts';
import { cellsOf, findGroups, type Group, toCounts } from './groups.ts';
import { countOf, openValue } from './money.ts';
import { report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';

const MAX_ROWS = 1_000;

export async function getAnalyticsBreakdown(
  { query }: Input<'getAnalyticsBreakdown'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsBreakdown'>> {
  const { body } = await report(query, context, async (scope) => {
    const options = { begins: [scope.window.begin], withOpen: true, limit: MAX_ROWS };
    const { groups, total } = await findGroups(scope, query, options);
    const rows = truncateReport(groups, (group) => toRow(group, scope));
    return { rows, omitted: total - rows.length };
  });
  const { rows, omitted } = body.data;
  return answerReport(context, 'breakdown', { data: rows, meta: { ...body.meta, omitted } });
}

function toRow(
  { id, name, cells, filters }: Group,
  { window, leadsUrl, salesCyclesUrl }: Scope,
): Schema<'BreakdownRow'> {
  const open = cellsOf(cells, 'open');
  return {
    group: id,
    group_name: name,
    ...toCounts(cells, (parameters) => salesCyclesUrl(window, { ...filters, ...parameters })),
    open: countOf(open),
    open_value: openValue(open, (parameters) => leadsUrl(null, { ...filters, ...parameters })),
    leads_url: leadsUrl(window, filters),
    sales_cycles_url: salesCyclesUrl(window, { ...filters, status: 'won,lost' }),
  };
}
