import { schemas } from '../../generated/limits.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidParameter } from '../problem.ts';
import { toId } from '../values/id.ts';
import { fitsReport } from '../values/json-size.ts';
import { mapInSlices } from '../values/slices.ts';
import { countEvents, type EventCount } from './change-queries.ts';
import { currenciesOf } from './money.ts';
import { findUserNames } from './queries.ts';
import { rangeOf, report, type Scope, sourcesOf } from './report.ts';
import { answerReport } from './report-file.ts';
import { toRowValue } from './row-value.ts';
import { type GroupSum, type PeriodSum, sumByPeriod } from './value-queries.ts';
import { periodsOf, type Window } from './window.ts';

type Query = Input<'getAnalyticsTimeseries'>['query'];
type Point = Schema<'TimeseriesPoint'>;

/** A total and a sum with the most digits, to estimate the size of the response before building it. */
const WIDEST_TOTAL = 1_000_000_000;
const widestSum = { currency: 'EUR', leads: WIDEST_TOTAL, amount: '9'.repeat(21) };

export async function getAnalyticsTimeseries(
  { query }: Input<'getAnalyticsTimeseries'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsTimeseries'>> {
  const { interval, group_by } = query;
  const { body } = await report(query, context, async (scope) => {
    const periods = await periodsOf(scope.window, interval);
    const begins = periods.map(({ begin }) => begin);
    const rows = await countEvents(scope.db, scope.subject, begins, group_by);
    const values = await sumByPeriod(scope.db, scope.subject, begins, group_by);
    const groups = await withNames(scope, groupsOf(query, [...rows, ...values]), query);
    const totals = new Map(rows.map(({ period, key, kind, total }) => [`${period} ${key} ${kind}`, total]));
    const sums = Map.groupBy(values, ({ period, key }) => `${period} ${key}`);
    checkSize(query, scope, { periods, groups, sums });
    const points = await mapInSlices(periods.entries(), ([index, period]) =>
      groups.map((group) => {
        const cell = `${index + 1} ${group.key}`;
        const value = valueIn(period, group.key, sums.get(cell) ?? [], query, scope);
        return toPoint(period, group, (kind) => totals.get(`${cell} ${kind}`) ?? 0, value, query, scope);
      }),
    );
    return points.flat();
  });
  return answerReport(context, 'timeseries', body);
}

interface Group {
  key: string;
  /** Of a user; null in other groups. */
  name: string | null;
}

interface Cells {
  periods: readonly Window[];
  groups: readonly Group[];
  sums: ReadonlyMap<string, PeriodSum[]>;
}

/** Throws 400 for a report that would be too large. */
function checkSize(query: Query, scope: Scope, { periods, groups, sums }: Cells): void {
  const [first] = periods;
  const key = groups.at(-1)?.key;
  if (first === undefined || key === undefined) return;
  const widest = (['won', 'open'] as const).map((outcome) => ({ ...widestSum, key, outcome }));
  const point = toPoint(first, { key, name: null }, () => WIDEST_TOTAL, [], query, scope);
  const [value] = valueIn(first, key, widest, query, scope);
  const currencies = [...sums.values()].reduce((count, cell) => count + currenciesOf(cell).length, 0);
  const rows = periods.length * groups.length;
  const parts = [
    { of: point, count: rows },
    { of: value, count: currencies },
    ...groups.map(({ name }) => ({ of: { name }, count: periods.length })),
  ];
  if (fitsReport(...parts)) return;
  throw invalidParameter(
    'interval',
    `gives ${periods.length} periods of ${groups.length} groups, which is more than 4 MiB; choose longer periods or fewer days`,
  );
}

async function withNames({ db }: Scope, keys: readonly string[], query: Query): Promise<Group[]> {
  const names =
    query.group_by === 'assigned_user' ? await findUserNames(db, keys) : new Map<string, string>();
  return keys.map((key) => ({ key, name: names.get(key) ?? null }));
}

/** The sorted keys of the groups, ending with `none` for leads without an assignee. */
function groupsOf(query: Query, rows: readonly { key: string }[]): readonly string[] {
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
  { key, name }: Group,
  total: (kind: EventCount['kind']) => number,
  value: Point['value'],
  query: Query,
  { leadsUrl }: Scope,
): Point {
  return {
    period_start: period.from,
    period_end: period.to,
    group: query.group_by === 'none' ? null : groupOf(key, query),
    group_name: name,
    created: total('created'),
    first_contacted: total('contacted'),
    first_qualified: total('qualified'),
    first_won: total('won'),
    first_lost: total('lost'),
    value,
    leads_url: leadsUrl(period, filtersOf(key, query)),
  };
}

function valueIn(
  period: Window,
  key: string,
  sums: readonly GroupSum[],
  query: Query,
  { leadsUrl }: Scope,
): Point['value'] {
  const narrowed = (parameters: Record<string, string>) => {
    const group = filtersOf(key, query);
    const isRuledOut = group.status !== undefined && !parameters.status?.split(',').includes(group.status);
    return { ...parameters, ...group, ...(isRuledOut && noLead) };
  };
  return toRowValue(sums, {
    won: (parameters) => leadsUrl(null, { ...narrowed(parameters), ...rangeOf('status_changed', period) }),
    open: (parameters) => leadsUrl(period, narrowed(parameters)),
  });
}

/** Filters that match nothing, for cells that are empty by definition: won leads whose status is `new`. */
const noLead = { expected_close_on: 'none', expected_close_from: '0001-01-01' };

function groupOf(key: string, { group_by }: Query): string {
  return group_by === 'assigned_user' && key !== 'none' ? toId('user', key) : key;
}

/** The filters of the list of a group's leads. */
function filtersOf(key: string, query: Query): Record<string, string> {
  const { group_by } = query;
  if (group_by === 'none') return {};
  return { [group_by === 'assigned_user' ? 'assigned_user_id' : group_by]: groupOf(key, query) };
}
