import { findTitles } from '../content/queries.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { salesCycleFilters } from '../leads/sales-cycles/queries.ts';
import { openStatuses } from '../leads/tables.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { toId } from '../values/id.ts';
import { truncateReport } from '../values/json-size.ts';
import {
  type BreakdownKey,
  type BreakdownRow,
  type BreakdownSubject,
  breakDown,
  sumBreakdown,
} from './breakdown-queries.ts';
import { countOf, currenciesOf, valueIn } from './money.ts';
import { findUserNames } from './queries.ts';
import { ratio, report, type Scope } from './report.ts';
import { answerReport } from './report-file.ts';
import type { GroupSum } from './value-queries.ts';

type Query = Input<'getAnalyticsBreakdown'>['query'];

export async function getAnalyticsBreakdown(
  { query }: Input<'getAnalyticsBreakdown'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsBreakdown'>> {
  const { group_by: by, source, source_detail, assigned_user_id, content_id, tag } = query;
  const { body } = await report(query, context, async (scope) => {
    const filters = { source, source_detail, assigned_user_id, content_id, tag };
    const subject: BreakdownSubject = {
      ...scope.subject,
      cycleConditions: conditionsOf(salesCycleFilters, filters),
    };
    const found = await breakDown(scope.db, subject, by);
    // Of leads with one of these tags, other tags would have lists that don't match.
    const rows = by === 'tag' && tag ? found.filter(({ key }) => tag.includes(key ?? '')) : found;
    const sums = await sumBreakdown(
      scope.db,
      subject,
      by,
      rows.map(({ key }) => key),
    );
    const names = await namesOf(scope, by, rows);
    const shown = truncateReport(rows, (row) => toRow(row, sums.get(row.key) ?? [], names, query, scope));
    const total = rows === found ? (found[0]?.total ?? 0) : rows.length;
    return { rows: shown, omitted: total - shown.length };
  });
  const { rows, omitted } = body.data;
  return answerReport(context, 'breakdown', { data: rows, meta: { ...body.meta, omitted } });
}

/** The names of users and the titles of content, by their ids (UUIDs). */
async function namesOf(
  { db }: Scope,
  by: BreakdownKey,
  rows: readonly BreakdownRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ key }) => key ?? []);
  if (by === 'assigned_user') return findUserNames(db, ids);
  return by === 'content' ? findTitles(db, ids) : new Map();
}

const filterOf: Record<BreakdownKey, string> = {
  source: 'source',
  source_detail: 'source_detail',
  assigned_user: 'assigned_user_id',
  content: 'content_id',
  tag: 'tag',
  company: 'company',
  lost_reason: 'lost_reason',
};

function toRow(
  { key, label, won, lost, total: _, ...counts }: BreakdownRow,
  sums: readonly GroupSum[],
  names: ReadonlyMap<string, string>,
  { group_by: by }: Query,
  { window, leadsUrl, salesCyclesUrl }: Scope,
): Schema<'BreakdownRow'> {
  const group = groupOf(by, label);
  const filter = { [filterOf[by]]: group ?? 'none' };
  return {
    group,
    group_name: names.get(key ?? '') ?? null,
    created: counts.created,
    contacted: counts.contacted,
    won,
    lost,
    win_rate: ratio(won, won + lost),
    open: counts.open,
    value: currenciesOf(sums).map((currency) => {
      const [sold, open] = (['won', 'open'] as const).map((outcome) =>
        sums.filter((sum) => sum.currency === currency && sum.outcome === outcome),
      ) as [GroupSum[], GroupSum[]];
      return {
        currency,
        won: {
          sales_cycles: countOf(sold),
          amount: valueIn(currency, sold),
          sales_cycles_url: salesCyclesUrl(window, { ...filter, status: 'won', currency }),
        },
        open: {
          leads: countOf(open),
          amount: valueIn(currency, open),
          leads_url: leadsUrl(null, { ...filter, status: openStatuses.join(), currency }),
        },
      };
    }),
    leads_url: leadsUrl(window, filter),
    sales_cycles_url: salesCyclesUrl(window, { ...filter, status: 'won,lost' }),
  };
}

function groupOf(by: BreakdownKey, label: string | null): string | null {
  if (label === null) return null;
  if (by === 'assigned_user') return toId('user', label);
  return by === 'content' ? toId('content', label) : label;
}
