/** The columns of each report's CSV. */
import { schemas } from '../../generated/limits.ts';
import type { Schema } from '../operation.ts';

export interface FileColumns {
  /** They say what a line is about, so each line has them. */
  names: readonly string[];
  counts: readonly string[];
  /** The columns of each currency, if a row has several. */
  value?: readonly string[];
}

/** The `data` of each report, by the last segment of its path. */
export interface Reports {
  summary: Schema<'LeadSummary'>;
  funnel: Schema<'Funnel'>;
  sources: Schema<'SourcePerformance'>[];
  timeseries: Schema<'TimeseriesPoint'>[];
  'time-in-status': Schema<'TimeInStatus'>[];
  'lost-reasons': Schema<'LostReasonRow'>[];
  pipeline: Schema<'PipelineRow'>[];
  forecast: Schema<'Forecast'>;
  content: Schema<'ContentPerformance'>[];
  users: Schema<'UserPerformance'>[];
  activity: Schema<'Activity'>[];
  breakdown: Schema<'BreakdownRow'>[];
}

export type ReportName = keyof Reports;

type Files = {
  [Name in ReportName]: FileColumns & {
    rows(data: Reports[Name], meta: Schema<'AnalyticsMeta'>): readonly object[];
  };
};

const sumsOf = (...outcomes: string[]) => [
  'value.currency',
  ...outcomes.flatMap((outcome) =>
    ['leads', 'amount', 'leads_url'].map((field) => `value.${outcome}.${field}`),
  ),
];
const value = sumsOf('won', 'open');
const rows = <Row extends object>(data: readonly Row[]) => data;

export const filesOf: Files = {
  summary: {
    names: ['from', 'to'],
    counts: [
      'leads_created',
      'open',
      'won',
      'lost',
      'win_rate',
      'median_seconds_to_first_contact',
      'median_seconds_to_close',
      ...schemas.LeadStatus.enum.map((status) => `by_status.${status}`),
      'leads_url',
    ],
    value,
    rows: ({ previous, ...now }, { from, to }) => [{ from, to, ...now }, previous],
  },
  funnel: {
    names: ['status'],
    counts: [
      'reached',
      'share_of_cohort',
      'rate_from_previous',
      'median_seconds_from_previous',
      'leads_url',
      'lost',
      'open',
    ],
    // All leads are in the first stage, and so are those that are lost or open.
    rows: ({ stages, lost, open }) =>
      stages.map((stage, index) => (index === 0 ? { ...stage, lost, open } : stage)),
  },
  sources: {
    names: ['source', 'source_detail'],
    counts: [
      'leads',
      'reached_contacted',
      'reached_qualified',
      'won',
      'lost',
      'open',
      'win_rate',
      'leads_url',
    ],
    value,
    rows,
  },
  timeseries: {
    names: ['period_start', 'period_end', 'group', 'group_name'],
    counts: ['created', 'first_contacted', 'first_qualified', 'first_won', 'first_lost', 'leads_url'],
    value,
    rows,
  },
  'time-in-status': {
    names: ['status'],
    counts: ['entered', 'exited', 'current', 'mean_seconds', 'median_seconds', 'p90_seconds', 'leads_url'],
    rows,
  },
  'lost-reasons': {
    names: ['lost_reason'],
    counts: ['leads', 'share_of_lost', 'leads_url'],
    value: sumsOf('lost'),
    rows,
  },
  pipeline: {
    names: ['status', 'currency'],
    counts: ['leads', 'amount', 'average_amount', 'leads_url'],
    rows,
  },
  forecast: {
    names: ['period', 'month', 'currency'],
    counts: [
      'leads',
      'amount',
      'weighted_amount',
      'leads_url',
      ...['new', 'contacted', 'qualified'].map((status) => `win_rates.${status}`),
    ],
    rows: ({ win_rates, periods }) => {
      const rates = Object.fromEntries(win_rates.map(({ status, win_rate }) => [status, win_rate]));
      return periods.map((period) => ({ ...period, win_rates: rates }));
    },
  },
  content: {
    names: ['content_id', 'title', 'type', 'status'],
    counts: ['leads', 'reached_qualified', 'won', 'lost', 'win_rate', 'leads_url'],
    value,
    rows,
  },
  users: {
    names: ['user_id', 'name'],
    counts: [
      'assigned',
      'reached_contacted',
      'won',
      'lost',
      'win_rate',
      'median_seconds_to_first_contact',
      'leads_url',
    ],
    value,
    rows,
  },
  activity: {
    names: ['author_user_id', 'author_user_name', 'kind'],
    counts: ['notes', 'inbound', 'outbound', 'leads', 'contacts', 'duration_seconds'],
    rows,
  },
  breakdown: {
    names: ['group', 'group_name'],
    counts: [
      ...['created', 'contacted', 'won', 'lost', 'win_rate', 'open'],
      ...['leads_url', 'sales_cycles_url'],
    ],
    value: [
      'value.currency',
      ...['sales_cycles', 'amount', 'sales_cycles_url'].map((field) => `value.won.${field}`),
      ...['leads', 'amount', 'leads_url'].map((field) => `value.open.${field}`),
    ],
    rows,
  },
};
