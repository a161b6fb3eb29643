import { schemas } from '../../generated/limits.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidParameter } from '../problem.ts';
import { toId } from '../values/id.ts';
import { fitsReport } from '../values/json-size.ts';
import { countEvents, type EventCount } from './change-queries.ts';
import { report, type Scope, sourcesOf } from './report.ts';
import { periodsOf, type Window } from './window.ts';

type Query = Input<'getAnalyticsTimeseries'>['query'];
type Point = Schema<'TimeseriesPoint'>;

/** A total with the most digits, to estimate the size of the response before building it. */
const WIDEST_TOTAL = 1_000_000_000;

export async function getAnalyticsTimeseries(
  { query }: Input<'getAnalyticsTimeseries'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsTimeseries'>> {
  const { interval, group_by } = query;
  return report(query, context, async (scope) => {
    const periods = periodsOf(scope.window, interval);
    const begins = periods.map(({ begin }) => begin);
    const rows = await countEvents(scope.db, scope.subject, begins, group_by);
    const groups = groupsOf(query, rows);
    const [first] = periods;
    const longest = first && toPoint(first, groups.at(-1) ?? '', () => WIDEST_TOTAL, query, scope);
    if (longest !== undefined && !fitsReport(longest, periods.length * groups.length)) {
      throw invalidParameter(
        'interval',
        `gives ${periods.length} periods of ${groups.length} groups, which is more than 4 MiB; choose longer periods or fewer days`,
      );
    }
    const totals = new Map(rows.map(({ period, key, kind, total }) => [`${period} ${key} ${kind}`, total]));
    return periods.flatMap((period, index) =>
      groups.map((key) =>
        toPoint(period, key, (kind) => totals.get(`${index + 1} ${key} ${kind}`) ?? 0, query, scope),
      ),
    );
  });
}

/** The sorted keys of the groups, ending with `none` for leads without an assignee. */
function groupsOf(query: Query, rows: readonly EventCount[]): readonly string[] {
  switch (query.group_by) {
    case 'source':
      return sourcesOf(query);
    case 'status':
      return schemas.LeadStatus.enum;
    case 'assigned_user':
      return [...new Set(rows.map(({ key }) => key))].sort();
    case 'none':
      return ['none'];
    default:
      return query.group_by satisfies never;
  }
}

function toPoint(
  period: Window,
  key: string,
  total: (kind: EventCount['kind']) => number,
  { group_by }: Query,
  { leadsUrl }: Scope,
): Point {
  const group = group_by === 'assigned_user' && key !== 'none' ? toId('user', key) : key;
  const parameter = group_by === 'assigned_user' ? 'assigned_user_id' : group_by;
  return {
    period_start: period.from,
    period_end: period.to,
    group: group_by === 'none' ? null : group,
    created: total('created'),
    contacted: total('contacted'),
    qualified: total('qualified'),
    won: total('won'),
    lost: total('lost'),
    leads_url: leadsUrl(period, group_by === 'none' ? {} : { [parameter]: group }),
  };
}
