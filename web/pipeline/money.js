/** @import { Api, PipelineRow } from './api.js' */
/** @import { components } from '../../generated/api.ts' */
/** @import { Row, Sum } from './amounts.js' */
/** @import { Filters } from './filters.js' */
import { sumByCurrency } from './amounts.js';
import { element, find, setText } from './dom.js';
import { formatMoney, formatNumber, formatSum } from './format.js';
import { createPanel } from './panel.js';
import { reportWindow, windowName } from './report-window.js';
import { may } from './session.js';

/** @typedef {components['schemas']['ForecastPeriod']} ForecastPeriod */
/** @typedef {components['schemas']['AnalyticsSummary']} Summary */

/** How many currencies a figure shows. The others are in its title. */
const CURRENCIES = 3;

const part = find('#money', HTMLElement);
const open = ['new', 'contacted', 'qualified'];
const closed = /** @type {const} */ (['won', 'lost']);

/**
 * The money of the leads that the page shows: what is open, what it may bring, what was won, and the value of each column.
 * Hidden from a client that may not read reports.
 * @param {Api} api
 * @param {Filters} filters
 */
export function createMoney(api, filters) {
  part.hidden = !may('analytics:read');
  if (part.hidden) return async () => {};
  return createPanel(part, async (signal) => {
    const query = new URLSearchParams(filters.query());
    const window = new URLSearchParams({ from: reportWindow().from, ...filters.reportQuery() });
    /** @type {[{ data: PipelineRow[] }, { data: { periods: ForecastPeriod[] } }, { data: Summary }]} */
    const [{ data: rows }, { data: forecast }, { data: summary }] = await Promise.all([
      api.get(`/analytics/pipeline?${query}`, signal),
      api.get(`/analytics/forecast?months=1&${query}`, signal),
      api.get(`/analytics/summary?${window}`, signal),
    ]);
    show(rows, forecast.periods);
    // A search finds leads, and not what they won or lost.
    showClosed(query.has('search') ? undefined : summary);
  }).refresh;
}

/**
 * @param {PipelineRow[]} rows
 * @param {ForecastPeriod[]} periods
 */
function show(rows, periods) {
  // Everywhere in the same order, so that a currency has its place.
  const order = sumByCurrency(rows).map(({ currency }) => currency);
  /** @param {readonly Row[]} some */
  const sums = (some) => sumByCurrency(some, order);

  for (const status of open) {
    const own = sums(rows.filter((row) => row.status === status));
    const value = find(`#column-${status} .value`, HTMLElement);
    setText(value, join(own, formatSum));
    value.title = join(own, formatMoney);
  }
  showFigure('open', sums(rows), count(rows));

  const weighted = periods.map((period) => ({ ...period, amount: period.weighted_amount }));
  const isUnknown = weighted.some(({ leads, amount }) => leads > 0 && amount === null);
  showFigure(
    'forecast',
    isUnknown ? [] : sums(weighted),
    isUnknown ? 'None of them was won or lost in the last year' : 'Value × chance to win',
  );

  const month = periods.filter(({ period }) => period === 'month');
  const overdue = sums(periods.filter(({ period }) => period === 'overdue'));
  const late = overdue.length === 0 ? '' : ` · overdue ${join(overdue, formatSum)}`;
  showFigure('month', sums(month), `${count(month)}${late}`);
}

/** What was won and lost in the window. @param {Summary | undefined} summary */
function showClosed(summary) {
  for (const status of closed) {
    const own = sumByCurrency(
      (summary?.value ?? []).map(({ currency, [status]: { sales_cycles: leads, amount } }) => ({
        ...{ currency, leads, amount },
      })),
    );
    const value = find(`#column-${status} .value`, HTMLElement);
    setText(value, own.length === 0 ? '' : `${windowName()}: ${join(own, formatSum)}`);
    value.title = join(own, formatMoney);
    if (status === 'won')
      showFigure('won', own, summary ? `${sales(summary.won)}, ${windowName()}` : 'Not for a search');
  }
}

/** @param {number} won */
const sales = (won) => (won === 1 ? '1 sale' : `${formatNumber(won)} sales`);

/**
 * @param {Sum[]} sums
 * @param {(amount: string, currency: string) => string} format
 */
const join = (sums, format) => sums.map(({ amount, currency }) => format(amount, currency)).join(' + ');

/** @param {readonly Row[]} rows */
function count(rows) {
  const leads = rows.reduce((sum, row) => sum + row.leads, 0);
  return leads === 1 ? '1 lead' : `${formatNumber(leads)} leads`;
}

/**
 * @param {string} name
 * @param {Sum[]} sums
 * @param {string} hint
 */
function showFigure(name, sums, hint) {
  const figure = find(`[data-figure="${name}"]`, HTMLElement, part);
  const amounts = find('.amounts', HTMLElement, figure);
  const shown = sums.slice(0, CURRENCIES).map(({ amount, currency }) => formatSum(amount, currency));
  const hidden = sums.length - CURRENCIES;
  amounts.title = join(sums, formatMoney);
  amounts.replaceChildren(
    ...(shown.length === 0 ? ['–'] : shown).map((text) => element('span', {}, text)),
    ...(hidden > 0 ? [element('small', {}, `and ${hidden} more`)] : []),
  );
  setText(find('.hint', HTMLElement, figure), hint);
}
