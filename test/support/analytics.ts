/** The figures that reports must show, found by counting. */
import { expect } from 'vitest';
import {
  type CountableFilter,
  type Cycle,
  type Lead,
  listAll,
  type Status,
  statuses,
  type World,
} from './analytics-world.ts';
import type { TestClient } from './client.ts';
import { closedWorth } from './money.ts';

export type ReportQuery = Record<string, string>;

/** Whether a lead, or a sales cycle, matches the filters of a report. */
export function meets(
  lead: Pick<Lead, 'source' | 'assigned_user_id' | 'content_id' | 'tags'>,
  { source, assigned_user_id, content_id, tag }: ReportQuery,
): boolean {
  const refers = (asked: string | undefined, value: string | null) =>
    asked === undefined || asked === (value ?? 'none');
  return (
    (source === undefined || source.split(',').includes(lead.source)) &&
    refers(assigned_user_id, lead.assigned_user_id) &&
    refers(content_id, lead.content_id) &&
    (tag === undefined || tag.split(',').some((one) => lead.tags.includes(one)))
  );
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timezone: string): Intl.DateTimeFormat {
  const calendar = calendars.get(timezone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: timezone });
  calendars.set(timezone, calendar);
  return calendar;
}

/** Whether the clocks of the timezone show a day between these, both included. */
export function isWithin(moment: number, { from = '', to = '', timezone = 'UTC' }: ReportQuery): boolean {
  const day = calendarOf(timezone).format(moment);
  return from <= day && day <= to;
}

/** The leads that the report is about. */
export function cohortOf(facts: readonly CountableFilter[], query: ReportQuery): CountableFilter[] {
  return facts.filter((fact) => meets(fact, query) && isWithin(Date.parse(fact.created_at), query));
}

/** When the lead first entered the status or a later one; `lost` does not count as later. */
export function firstAt({ path }: CountableFilter, status: Status): number | undefined {
  const enough: readonly Status[] =
    status === 'lost' ? ['lost'] : statuses.slice(statuses.indexOf(status), 4);
  return path.find((entry) => enough.includes(entry.status))?.at;
}

export function reached(facts: readonly CountableFilter[], status: Status): number {
  return facts.filter((fact) => firstAt(fact, status) !== undefined).length;
}

export function count(facts: readonly CountableFilter[], ...wanted: Status[]): number {
  return facts.filter(({ status }) => wanted.includes(status)).length;
}

export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** The sales cycles closed in the window that match the filters. */
export function closedIn({ cycles }: Pick<World, 'cycles'>, query: ReportQuery): Cycle[] {
  return cycles.filter(
    ({ closed_at, ...cycle }) =>
      closed_at !== null && isWithin(Date.parse(closed_at), query) && meets(cycle, query),
  );
}

/** What happened in the window to those that belong to the group. */
export function happenedIn(
  { facts, cycles }: Pick<World, 'facts' | 'cycles'>,
  query: ReportQuery,
  isOfGroup: (row: Lead | Cycle) => boolean = () => true,
) {
  const leads = facts.filter((lead) => meets(lead, query) && isOfGroup(lead));
  const closed = closedIn({ cycles }, query).filter(isOfGroup);
  const [won, lost] = ['won', 'lost'].map(
    (status) => closed.filter((cycle) => cycle.status === status).length,
  );
  const first = (status: Status) =>
    leads.filter((lead) => {
      const at = firstAt(lead, status);
      return at !== undefined && isWithin(at, query);
    }).length;
  return {
    created: leads.filter(({ created_at }) => isWithin(Date.parse(created_at), query)).length,
    contacted: first('contacted'),
    qualified: first('qualified'),
    won: won ?? 0,
    lost: lost ?? 0,
    win_rate: share(won ?? 0, closed.length),
    value: closedWorth(closed),
    leads_url: expect.any(String),
    sales_cycles_url: expect.any(String),
  };
}

/** Whole seconds between the two, if both exist. */
export function secondsBetween(pairs: (readonly [number | undefined, number | undefined])[]): number[] {
  return pairs.flatMap(([earlier, later]) =>
    earlier === undefined || later === undefined ? [] : [Math.floor((later - earlier) / 1000)],
  );
}

/** Interpolates linearly between the two neighbours. `tenths` is 5 for the median. */
export function quantile(numbers: readonly number[], tenths: number): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * tenths;
  const lower = sorted[Math.floor(position / 10)];
  const upper = sorted[Math.ceil(position / 10)];
  if (lower === undefined || upper === undefined) return null;
  return Math.round((lower * 10 + (position % 10) * (upper - lower)) / 10);
}

/** The report's response. */
export async function getReport(client: TestClient, report: string, query: ReportQuery) {
  const { body } = await client.get(`/analytics/${report}?${new URLSearchParams(query)}`).expect(200);
  return body;
}

/** How many rows the list at this URL has. */
export async function totalOf(client: TestClient, leadsUrl: string): Promise<number> {
  const { body } = await client.get(`${pathOf(leadsUrl)}&per_page=1`).expect(200);
  return body.meta.total;
}

/** The rows of the list at this URL. */
export function rowsAt(client: TestClient, url: string): Promise<Lead[]> {
  return listAll(client, `${pathOf(url)}&per_page=100`);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname.replace(/^\/v1/, '')}${search}`;
}

/** Windows and filters, some of which include a clock change. */
export const queries: ReportQuery[] = [
  { from: '2026-03-27', to: '2026-04-02' },
  { from: '2026-03-29', to: '2026-03-29', timezone: 'Europe/Berlin' },
  { from: '2026-10-24', to: '2026-11-03', timezone: 'Europe/Berlin', source: 'website,api' },
  { from: '2026-10-20', to: '2026-11-10', timezone: 'America/St_Johns', tag: 'vip,old' },
  { from: '2026-03-28', to: '2026-03-30', timezone: 'Asia/Kolkata', assigned_user_id: 'none' },
  { from: '2011-12-28', to: '2012-01-02', timezone: 'Pacific/Apia', content_id: 'none' },
  { from: '2011-12-31', to: '2011-12-31', timezone: 'Pacific/Apia' },
  { from: '2024-12-01', to: '2027-12-05' },
  { from: '2020-01-01', to: '2020-01-31', timezone: 'Asia/Kathmandu' },
];
