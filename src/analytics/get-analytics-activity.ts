import { conditionsOf } from '../db/list/filters.ts';
import { noteFilters } from '../notes/queries.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toNullableId } from '../values/id.ts';
import { truncateReport } from '../values/json-size.ts';
import { countNotes } from './activity-queries.ts';
import { answerReport } from './report-file.ts';
import { metaOf, windowOf } from './window.ts';

export async function getAnalyticsActivity(
  { query }: Input<'getAnalyticsActivity'>,
  context: OperationContext,
): Promise<Result<'getAnalyticsActivity'>> {
  const now = Date.now();
  const window = windowOf(query, now);
  const { kind, author_user_id } = query;
  const conditions = conditionsOf(noteFilters, { kind, author_user_id });
  const rows = await countNotes(context.db, { ...window, conditions });
  const data = truncateReport(rows, ({ actor_user_id, name, total: _, ...counts }) => ({
    author_user_id: toNullableId('user', actor_user_id),
    author_user_name: name,
    ...counts,
  }));
  const omitted = (rows[0]?.total ?? 0) - data.length;
  return answerReport(context, 'activity', { data, meta: { ...metaOf(window, now), omitted } });
}
