import type { Db } from '../db/db.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { searchWithPhone } from '../db/list/search.ts';
import { checkSearch } from '../http/lists/search.ts';
import { leadFilters } from '../leads/queries.ts';
import { salesCycleFilters } from '../leads/sales-cycles/queries.ts';
import type { Input, OperationContext } from '../operation.ts';
import { toLocalTime } from '../values/timezone.ts';
import { type ReportSubject, tunePlanner } from './subject-queries.ts';
import { metaOf, type Window, windowOf } from './window.ts';

type ReportQuery = Input<'getAnalyticsSummary'>['query'] &
  Pick<Input<'getAnalyticsPipeline'>['query'], 'search' | 'source_detail'>;

/** The input of a report. */
export interface Scope {
  /** A repeatable-read transaction, so that all reads see the same snapshot. */
  db: Db;
  window: Window;
  /** The window, and the conditions from the query's filters. A search is only about leads. */
  subject: ReportSubject;
  /** The URL of the list of leads that match the filters and `parameters`, created in the window, or at any time if null. */
  leadsUrl(window: Window | null, parameters?: Record<string, string>): string;
  /** The same for the list of sales cycles that were closed in the window. */
  salesCyclesUrl(window: Window, parameters?: Record<string, string>): string;
}

/** Builds a report for the query's window and filters, in one snapshot. Throws 400 for an invalid window. */
export async function report<Data>(
  query: ReportQuery,
  { db, baseUrl }: OperationContext,
  build: (scope: Scope) => Promise<Data>,
) {
  const now = Date.now();
  const window = windowOf(query, now);
  const { search, source, source_detail, assigned_user_id, content_id, tag } = query;
  checkSearch(search);
  const filters = { source, source_detail, assigned_user_id, content_id, tag };
  const conditions = [
    ...(search === undefined ? [] : [searchWithPhone(search)]),
    ...conditionsOf(leadFilters, filters),
  ];
  const data = await db.transaction(
    async (snapshot) => {
      await tunePlanner(snapshot, { usesBitmaps: search !== undefined });
      return build({
        db: snapshot,
        window,
        subject: { ...window, conditions, cycleConditions: conditionsOf(salesCycleFilters, filters) },
        leadsUrl: (part, parameters) =>
          listUrl(`${baseUrl}/leads`, part === null ? {} : rangeOf('created', part), {
            search,
            ...filters,
            ...parameters,
          }),
        salesCyclesUrl: (part, parameters) =>
          listUrl(`${baseUrl}/sales-cycles`, rangeOf('closed', part), { ...filters, ...parameters }),
      });
    },
    { isolation: 'repeatable read', readOnly: true },
  );
  return { status: 200 as const, body: { data, meta: metaOf(window, now) } };
}

/** Rounded to four decimals; null when `whole` is zero. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** The filters `<field>_from` and `<field>_to` for the window. They are inclusive and have millisecond precision, hence `end - 1`. */
export function rangeOf(field: string, { begin, end, timezone }: Window): Record<string, string> {
  return {
    [`${field}_from`]: toLocalTime(begin, timezone),
    [`${field}_to`]: toLocalTime(end - 1, timezone),
  };
}

function listUrl(
  list: string,
  range: Record<string, string>,
  filters: Record<string, string | readonly string[] | undefined>,
): string {
  const parameters = new URLSearchParams(range);
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return `${list}?${parameters}`;
}
