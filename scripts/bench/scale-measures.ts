/** What bench:scale measures: each row is a request and what it may cost. */
import { randomUUID } from 'node:crypto';
import { COMMON_WORD, RARE_WORD, uniqueWord } from './scale-rows.ts';

/** What is there to ask for. */
export interface Loaded {
  leads: number;
  /** Public id of a user who has leads. */
  user: string;
  /** Public id of content that has leads. */
  content: string;
  /** A cursor from the middle of the list. */
  cursor: string;
}

export interface ScaleMeasure {
  name: string;
  /** Below the base URL, such as `/leads?page=2`. */
  path: (loaded: Loaded) => string;
  /** Makes it a POST; a new one for each request. */
  body?: () => object;
  /** It may cost so many times more at the largest size than at the smallest. */
  growth?: number;
  /** It may take so long at any size (milliseconds). */
  most?: number;
}

const PER_PAGE = 20;
/** The leads of three years by the measures' filters: in the middle of the time, with days cut at both ends. */
const cut = `created_from=${daysAgo(800)}T09:30:00Z&created_to=${daysAgo(200)}T17:45:00Z`;

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** A page so far in a list of so many leads, from 0 for the first to 1 for the last. */
function page(part: number, leads: number): string {
  return `page=${Math.max(1, Math.ceil((leads / PER_PAGE) * part))}`;
}

const reports = [
  'summary',
  'funnel',
  'sources',
  'timeseries',
  'timeseries?interval=week&group_by=assigned_user',
  'time-in-status',
  'content',
  'users',
];

type Filter = (loaded: Loaded) => Record<string, string>;

/** Of the last so many days; each report may take so long (milliseconds). */
function reportsOf(days: number, most: number, told = 'all', filter: Filter = () => ({})): ScaleMeasure[] {
  const window = { from: daysAgo(days - 1), to: daysAgo(0), timezone: 'Asia/Kolkata' };
  return reports.map((report) => ({
    name: `${report.replace(/\?.*group_by=/, ' by ')}, ${days} days, ${told}`,
    path: (loaded) => {
      const query = new URLSearchParams({ ...window, ...filter(loaded) });
      return `/analytics/${report}${report.includes('?') ? '&' : '?'}${query}`;
    },
    most,
  }));
}

const byTag: Filter = () => ({ tag: 'vip' });
const byContent: Filter = ({ content }) => ({ content_id: content });

export const measures: readonly ScaleMeasure[] = [
  { name: 'total, no filter', path: () => '/leads?per_page=1', growth: 3 },
  { name: 'total, status', path: () => '/leads?per_page=1&status=won', growth: 3 },
  { name: 'total, source', path: () => '/leads?per_page=1&source=referral', growth: 3 },
  { name: 'total, assignee', path: ({ user }) => `/leads?per_page=1&assigned_user_id=${user}`, growth: 3 },
  { name: 'total, dates', path: () => `/leads?per_page=1&${cut}`, growth: 3 },
  {
    name: 'total, all of them',
    path: ({ user }) => `/leads?per_page=1&status=won,lost&source=website&assigned_user_id=${user}&${cut}`,
    growth: 3,
  },
  { name: 'first page', path: () => '/leads', growth: 3 },
  { name: 'middle page', path: ({ leads }) => `/leads?${page(0.5, leads)}`, growth: 3 },
  { name: 'last page', path: ({ leads }) => `/leads?${page(1, leads)}`, growth: 3 },
  {
    name: 'last page, oldest first',
    path: ({ leads }) => `/leads?sort=created_at&${page(1, leads)}`,
    growth: 3,
  },
  { name: 'page, status', path: () => '/leads?status=lost', growth: 3 },
  { name: 'middle page, status', path: ({ leads }) => `/leads?status=lost&${page(0.16, leads)}`, growth: 3 },
  {
    name: 'middle page, source',
    path: ({ leads }) => `/leads?source=website&${page(0.25, leads)}`,
    growth: 3,
  },
  {
    name: 'middle page, assignee',
    path: ({ user, leads }) => `/leads?assigned_user_id=${user}&${page(0.004, leads)}`,
    growth: 3,
  },
  { name: 'middle page, dates', path: ({ leads }) => `/leads?${cut}&${page(0.25, leads)}`, growth: 3 },
  {
    name: 'middle page, status, source',
    path: ({ leads }) => `/leads?status=won&source=manual&${page(0.012, leads)}`,
    growth: 3,
  },
  { name: 'cursor page', path: ({ cursor }) => `/leads?cursor=${cursor}`, growth: 3 },
  {
    name: 'search, one hit',
    path: ({ leads }) => `/leads?search=${uniqueWord(leads >> 1)}`,
    growth: 10,
    most: 50,
  },
  { name: 'search, 200 hits', path: () => `/leads?search=${RARE_WORD}`, growth: 10, most: 50 },
  { name: 'search, 5 % of all', path: () => `/leads?search=${COMMON_WORD}` },
  {
    name: 'create',
    path: () => '/leads',
    body: () => ({ name: 'Ada Lovelace', email: `${randomUUID()}@example.com`, source: 'website' }),
    growth: 1.5,
  },
  ...reportsOf(30, 300),
  ...reportsOf(30, 600, 'a tag', byTag),
  ...reportsOf(30, 600, 'a content', byContent),
  ...reportsOf(1_100, 5_000),
  ...reportsOf(1_100, 10_000, 'a tag', byTag),
  ...reportsOf(1_100, 10_000, 'a content', byContent),
];
