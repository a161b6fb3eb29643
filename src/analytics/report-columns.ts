/** The columns of each report's CSV. */
import { openStatuses } from '../leads/tables.ts';
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
  summary: Schema<'AnalyticsSummary'>;
  funnel: Schema<'Funnel'>;
  breakdown: Schema<'BreakdownRow'>[];
  timeseries: Schema<'TimeseriesPoint'>[];
  'time-in-status': Schema<'TimeInStatus'>[];
  pipeline: Schema<'PipelineRow'>[];
  forecast: Schema<'Forecast'>;
  activity: Schema<'Activity'>[];
}

export type ReportName = keyof Reports;

type Files = {
  [Name in ReportName]: FileColumns & {
    rows(data: Reports[Name], meta: Schema<'AnalyticsMeta'>): readonly object[];
  };
};

const rows = <Row extends object>(data: readonly Row[]) => data;

const happened = ['created', 'contacted', 'qualified', 'won', 'lost', 'win_rate'];
const closedValue = [
  'currency',
  ...['won', 'lost'].flatMap((outcome) =>
    ['sales_cycles', 'amount', 'sales_cycles_url'].map((field) => `value.${outcome}.${field}`),
  ),
];
const openValue = ['leads', 'amount', 'leads_url'].map((field) => `open_value.${field}`);

export const filesOf: Files = {
  summary: {
    names: ['from', 'to'],
    counts: [
      ...[
        'leads_created',
        'won',
        'lost',
        'win_rate',
        'median_seconds_to_close',
        'median_seconds_to_first_contact',
      ],
      ...['leads_url', 'sales_cycles_url', 'open'],
      ...openStatuses.map((status) => `open_by_status.${status}`),
    ],
    value: [...closedValue, ...openValue],
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
  breakdown: {
    names: ['group', 'group_name'],
    counts: [...happened, 'open', 'leads_url', 'sales_cycles_url'],
    value: [...closedValue, ...openValue],
    rows,
  },
  timeseries: {
    names: ['period_start', 'period_end', 'group', 'group_name'],
    counts: [...happened, 'leads_url', 'sales_cycles_url'],
    value: closedValue,
    rows,
  },
  'time-in-status': {
    names: ['status'],
    counts: [
      ...['entered', 'exited', 'open_current', 'mean_seconds', 'median_seconds', 'p90_seconds', 'leads_url'],
    ],
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
      ...['leads', 'amount', 'weighted_amount', 'leads_url'],
      ...openStatuses.map((status) => `win_rates.${status}`),
    ],
    rows: ({ win_rates, periods }) => {
      const rates = Object.fromEntries(win_rates.map(({ status, win_rate }) => [status, win_rate]));
      return periods.map((period) => ({ ...period, win_rates: rates }));
    },
  },
  activity: {
    names: ['author_user_id', 'author_user_name', 'kind'],
    counts: ['notes', 'inbound', 'outbound', 'leads', 'contacts', 'duration_seconds'],
    rows,
  },
};
