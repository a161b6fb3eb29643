/** The requests that bench:scale measures, with their limits. */
import { randomUUID } from 'node:crypto';
import { COMMON_TAG, COMMON_WORD, RARE_TAG, RARE_WORD, uniqueWord } from './scale-rows.ts';

/** The loaded data, for building requests. */
export interface Loaded {
  leads: number;
  /** Public id of a user with leads. */
  user: string;
  /** Public id of content with leads. */
  content: string;
  /** A cursor from the middle of the list. */
  cursor: string;
}

export interface ScaleMeasure {
  name: string;
  /** Below the base URL, such as `/leads?page=2`. */
  path: (loaded: Loaded) => string;
  /** Makes the request a POST. Called for each request. */
  body?: () => object;
  /** Maximum ratio of the time at the largest size to the time at the smallest. */
  maxGrowth?: number;
  /** Maximum time at any size. Milliseconds. */
  maxTime?: number;
}

const PER_PAGE = 20;
/** A date filter in the middle of the three years, which starts and ends within a day. */
const dateFilter = `created_from=${daysAgo(800)}T09:30:00Z&created_to=${daysAgo(200)}T17:45:00Z`;

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** The page at a position in a list of `leads`, from 0 for the first page to 1 for the last. */
function page(position: number, leads: number): string {
  return `page=${Math.max(1, Math.ceil((leads / PER_PAGE) * position))}`;
}

const reportsFor = (days: number) => [
  'summary',
  'funnel',
  ...['source', 'source_detail', 'assigned_user', 'content', 'lost_reason'].map(
    (by) => `breakdown?group_by=${by}`,
  ),
  'timeseries',
  // With three years of 100 users and three currencies, the answer would be larger than the service sends.
  `timeseries?interval=month&group_by=${days > 366 ? 'source' : 'assigned_user'}`,
  'time-in-status',
];

type Filter = (loaded: Loaded) => Record<string, string>;

/** All reports for the last `days` days. */
function reportsOf(
  days: number,
  maxTime: number,
  label = 'all',
  filter: Filter = () => ({}),
): ScaleMeasure[] {
  const window = { from: daysAgo(days - 1), to: daysAgo(0), timezone: 'Asia/Kolkata' };
  return reportsFor(days).map((report) => ({
    name: `${report.replace(/\?.*group_by=/, ' by ')}, ${days} days, ${label}`,
    path: (loaded) => {
      const query = new URLSearchParams({ ...window, ...filter(loaded) });
      return `/analytics/${report}${report.includes('?') ? '&' : '?'}${query}`;
    },
    // Whoever groups by a text reads the leads themselves, also those that are open now.
    maxTime: /source_detail|lost_reason/.test(report) ? Math.max(maxTime, 6_000) : maxTime,
  }));
}

const byTag: Filter = () => ({ tag: COMMON_TAG });
const byContent: Filter = ({ content }) => ({ content_id: content });

export const measures: readonly ScaleMeasure[] = [
  { name: 'total, no filter', path: () => '/leads?per_page=1', maxGrowth: 3 },
  { name: 'total, status', path: () => '/leads?per_page=1&status=won', maxGrowth: 3 },
  { name: 'total, source', path: () => '/leads?per_page=1&source=referral', maxGrowth: 3 },
  { name: 'total, assignee', path: ({ user }) => `/leads?per_page=1&assigned_user_id=${user}`, maxGrowth: 3 },
  { name: 'total, dates', path: () => `/leads?per_page=1&${dateFilter}`, maxGrowth: 3 },
  {
    name: 'total, all of them',
    path: ({ user }) =>
      `/leads?per_page=1&status=won,lost&source=website&assigned_user_id=${user}&${dateFilter}`,
    maxGrowth: 3,
  },
  { name: 'first page', path: () => '/leads', maxGrowth: 3 },
  { name: 'middle page', path: ({ leads }) => `/leads?${page(0.5, leads)}`, maxGrowth: 3 },
  { name: 'last page', path: ({ leads }) => `/leads?${page(1, leads)}`, maxGrowth: 3 },
  {
    name: 'last page, oldest first',
    path: ({ leads }) => `/leads?sort=created_at&${page(1, leads)}`,
    maxGrowth: 3,
  },
  { name: 'page, status', path: () => '/leads?status=lost', maxGrowth: 3 },
  {
    name: 'middle page, status',
    path: ({ leads }) => `/leads?status=lost&${page(0.16, leads)}`,
    maxGrowth: 3,
  },
  {
    name: 'middle page, source',
    path: ({ leads }) => `/leads?source=website&${page(0.25, leads)}`,
    maxGrowth: 3,
  },
  {
    name: 'middle page, assignee',
    path: ({ user, leads }) => `/leads?assigned_user_id=${user}&${page(0.004, leads)}`,
    maxGrowth: 3,
  },
  {
    name: 'middle page, dates',
    path: ({ leads }) => `/leads?${dateFilter}&${page(0.25, leads)}`,
    maxGrowth: 3,
  },
  {
    name: 'middle page, status, source',
    path: ({ leads }) => `/leads?status=won&source=manual&${page(0.012, leads)}`,
    maxGrowth: 3,
  },
  { name: 'page, tag', path: () => `/leads?tag=${COMMON_TAG}`, maxGrowth: 10, maxTime: 50 },
  {
    name: 'page, tag, status',
    path: () => `/leads?tag=${COMMON_TAG}&status=won`,
    maxGrowth: 10,
    maxTime: 50,
  },
  // Without counts by day, rows are skipped: up to half of those with the tag.
  { name: 'middle page, tag', path: ({ leads }) => `/leads?tag=${COMMON_TAG}&${page(0.125, leads)}` },
  {
    name: 'last page, tag',
    path: ({ leads }) => `/leads?tag=${COMMON_TAG}&${page(0.2495, leads)}`,
    maxGrowth: 10,
    maxTime: 50,
  },
  {
    name: 'page, metadata, narrow range',
    path: () => '/leads?metadata[score]=99.9..',
    maxGrowth: 10,
    maxTime: 50,
  },
  {
    name: 'page, metadata, wide range',
    path: () => '/leads?metadata[score]=50..',
    maxGrowth: 10,
    maxTime: 50,
  },
  {
    name: 'page, metadata, range of dates, status',
    path: () => '/leads?metadata[due]=2026-06-01..2026-06-30&status=won',
    maxGrowth: 10,
    maxTime: 50,
  },
  { name: 'page, metadata, option', path: () => '/leads?metadata[plan]=gold', maxGrowth: 10, maxTime: 50 },
  { name: 'page, metadata, none', path: () => '/leads?metadata[plan]=none', maxGrowth: 10, maxTime: 50 },
  {
    name: 'page, sorted by metadata',
    path: () => '/leads?sort=-metadata.score&metadata[score]=80..',
    maxGrowth: 10,
    maxTime: 50,
  },
  { name: 'page, rare tag', path: () => `/leads?tag=${RARE_TAG}`, maxGrowth: 10, maxTime: 50 },
  { name: 'page, no contact', path: () => '/leads?contact_id=none', maxGrowth: 10, maxTime: 50 },
  {
    name: 'page, currency',
    path: () => '/leads?currency=EUR',
  },
  {
    name: 'page, currency, by value',
    path: () => '/leads?currency=EUR&sort=-value',
  },
  {
    name: 'page, company',
    path: () => `/leads?company=${RARE_WORD.toUpperCase()}%20ltd`,
    maxGrowth: 10,
    maxTime: 50,
  },
  {
    name: 'page, open, inactive for 30 days',
    path: () => `/leads?status=new,contacted,qualified&inactive_since=${daysAgo(30)}`,
  },
  {
    name: 'page, status, large values',
    path: () => '/leads?status=qualified&currency=EUR&value_from=999000',
  },
  {
    name: 'page, expected close, by it',
    path: () =>
      `/leads?expected_close_from=${daysAgo(0)}&expected_close_to=${daysAgo(-7)}&sort=expected_close_on`,
  },
  { name: 'page, by expected close', path: () => '/leads?sort=-expected_close_on', maxGrowth: 3 },
  { name: 'cursor page', path: ({ cursor }) => `/leads?cursor=${cursor}`, maxGrowth: 3 },
  {
    name: 'search, one hit',
    path: ({ leads }) => `/leads?search=${uniqueWord(leads >> 1)}`,
    maxGrowth: 10,
    maxTime: 50,
  },
  { name: 'search, 200 hits', path: () => `/leads?search=${RARE_WORD}`, maxGrowth: 10, maxTime: 50 },
  { name: 'search, 5 % of all', path: () => `/leads?search=${COMMON_WORD}` },
  {
    name: 'create',
    path: () => '/leads',
    body: () => ({ name: 'Ada Lovelace', email: `${randomUUID()}@example.com`, source: 'website' }),
    maxGrowth: 1.5,
  },
  { name: 'pipeline, all', path: () => '/analytics/pipeline?timezone=Asia/Kolkata', maxGrowth: 5 },
  { name: 'forecast, all', path: () => '/analytics/forecast?timezone=Asia/Kolkata', maxGrowth: 5 },
  ...['pipeline', 'forecast'].map((report) => ({
    name: `${report}, an assignee`,
    path: ({ user }: Loaded) => `/analytics/${report}?assigned_user_id=${user}`,
    maxTime: 5_000,
  })),
  ...reportsOf(30, 300),
  ...reportsOf(30, 600, 'a tag', byTag),
  ...reportsOf(30, 600, 'a content', byContent),
  ...reportsOf(1_100, 5_000),
  ...reportsOf(1_100, 10_000, 'a tag', byTag),
  ...reportsOf(1_100, 10_000, 'a content', byContent),
];
