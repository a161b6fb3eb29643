import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { truncateReport } from '../values/json-size.ts';
import { countLeads, countLeadsRanked, type LeadCounts, noLeads } from './queries.ts';
import { openOf, report, type Scope, sourcesOf, winRateOf } from './report.ts';
import { answerReport } from './report-file.ts';
import { toCohortValue } from './row-value.ts';
import { type GroupSum, sumCreated, sumCreatedFor } from './value-queries.ts';

type Source = Schema<'LeadSource'>;
type Row = Schema<'SourcePerformance'>;
type Query = Input<'getAnalyticsSources'>['query'];

export async function getAnalyticsSources(
  { query }: Input<'getAnalyticsSources'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsSources'>> {
  const { body } = await report(query, context, (scope) =>
    query.by === 'source_detail' ? byDetail(scope) : bySource(query, scope),
  );
  const { rows, omitted } = body.data;
  return answerReport(context, 'sources', { data: rows, meta: { ...body.meta, omitted } });
}

interface Rows {
  rows: Row[];
  omitted: number;
}

async function bySource(query: Query, scope: Scope): Promise<Rows> {
  const counts = await countLeads(scope.db, scope.subject, 'source');
  const sums = await sumCreated(scope.db, scope.subject, 'source');
  const rows = sourcesOf(query).map((source) =>
    toRow(
      { source, source_detail: null },
      { source },
      counts.get(source) ?? noLeads,
      sums.get(source),
      scope,
    ),
  );
  return { rows, omitted: 0 };
}

async function byDetail(scope: Scope): Promise<Rows> {
  const { rows, total } = await countLeadsRanked(scope.db, scope.subject, 'source_detail');
  const keys = rows.map(({ key }) => key);
  const sums = await sumCreatedFor(scope.db, scope.subject, 'source_detail', keys);
  const shown = truncateReport(rows, ({ key, ...counts }) => {
    const [source, ...words] = key.split(' ') as [Source, ...string[]];
    const detail = words.length === 0 ? null : words.join(' ');
    const filters = { source, source_detail: detail ?? 'none' };
    return toRow({ source, source_detail: detail }, filters, counts, sums.get(key), scope);
  });
  return { rows: shown, omitted: total - shown.length };
}

function toRow(
  names: Pick<Row, 'source' | 'source_detail'>,
  filters: Record<string, string>,
  counts: LeadCounts,
  sums: readonly GroupSum[] | undefined,
  { window, leadsUrl }: Scope,
): Row {
  return {
    ...names,
    leads: counts.leads,
    reached_contacted: counts.reached_contacted,
    reached_qualified: counts.reached_qualified,
    won: counts.in_won,
    lost: counts.in_lost,
    open: openOf(counts),
    win_rate: winRateOf(counts),
    value: toCohortValue(sums, (parameters) => leadsUrl(window, { ...filters, ...parameters })),
    leads_url: leadsUrl(window, filters),
  };
}
