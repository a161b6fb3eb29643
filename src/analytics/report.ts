import { conditionsOf } from '../db/filters.ts';
import type { Db } from '../db/knex.ts';
import type { Input, OperationContext, Schema } from '../http/operation.ts';
import { leadFilters } from '../leads/queries.ts';
import { toLocalTime } from '../timezone.ts';
import type { LeadCounts } from './queries.ts';
import { prepare, type Subject } from './subject.ts';
import { metaOf, type Window, windowOf } from './window.ts';

type ReportQuery = Input<'getSources'>['query'];

/** What a report is made of. */
export interface Scope {
  /** All that is read through it is of one moment. */
  db: Db;
  window: Window;
  /** The window, and the leads that meet the filters. */
  subject: Subject;
  /** The address of the list of the leads that meet the filters and these, of the window or of all times. */
  leadsUrl(window: Window | null, parameters?: Record<string, string>): string;
}

/** What `make` gives for the window and the filters of the query. Throws 400 for a window that is none. */
export async function report<Data>(
  query: ReportQuery,
  { db, baseUrl }: OperationContext,
  make: (scope: Scope) => Promise<Data>,
): Promise<{ data: Data; meta: Schema<'AnalyticsMeta'> }> {
  const now = Date.now();
  const window = windowOf(query, now);
  const { source, assigned_user_id, content_id, tag } = query;
  const filters = { source, assigned_user_id, content_id, tag };
  const data = await db.transaction(
    async (snapshot) => {
      await prepare(snapshot);
      return make({
        db: snapshot,
        window,
        subject: { ...window, conditions: conditionsOf(leadFilters, filters) },
        leadsUrl: (part, parameters) => leadsUrl(baseUrl, part, { ...filters, ...parameters }),
      });
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  return { data, meta: metaOf(window, now) };
}

const sources = ['api', 'website', 'referral', 'manual'] as const;

/** The sources that the filter lets through. */
export function sourcesOf({ source }: ReportQuery): readonly Schema<'LeadSource'>[] {
  return source === undefined ? sources : sources.filter((one) => source.includes(one));
}

/** With four decimals; null over zero. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

export function winRateOf({ in_won, in_lost }: LeadCounts): number | null {
  return ratio(in_won, in_won + in_lost);
}

export function openOf({ in_new, in_contacted, in_qualified }: LeadCounts): number {
  return in_new + in_contacted + in_qualified;
}

/** Both ends of a list's dates belong to it, and it knows milliseconds. */
function leadsUrl(
  baseUrl: string,
  window: Window | null,
  filters: Record<string, string | readonly string[] | undefined>,
): string {
  const parameters = new URLSearchParams();
  if (window !== null) {
    parameters.set('created_from', toLocalTime(window.begin, window.timezone));
    parameters.set('created_to', toLocalTime(window.end - 1, window.timezone));
  }
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return `${baseUrl}/leads?${parameters}`;
}
