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

/** How many currencies a figure shows. The others are in its title. */
const CURRENCIES = 3;

const part = find('#money', HTMLElement);
const open = ['new', 'contacted', 'qualified'];
const closed = ['won', 'lost'];

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
    /** @type {[{ data: PipelineRow[] }, { data: { periods: ForecastPeriod[] } }]} */
    const [{ data: rows }, { data: forecast }] = await Promise.all([
      api.get(`/analytics/pipeline?from=${reportWindow().from}&${query}`, signal),
      api.get(`/analytics/forecast?months=1&${query}`, signal),
    ]);
    show(rows, forecast.periods);
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
  /** @param {string[]} statuses */
  const having = (...statuses) => rows.filter(({ status }) => statuses.includes(status));

  for (const status of [...open, ...closed]) {
    const own = sums(having(status));
    const value = find(`#column-${status} .value`, HTMLElement);
    const isPartial = closed.includes(status) && own.length > 0;
    setText(value, isPartial ? `${windowName()}: ${join(own, formatSum)}` : join(own, formatSum));
    value.title = join(own, formatMoney);
  }

  const won = having('won');
  showFigure('open', sums(having(...open)), count(having(...open)));
  showFigure('won', sums(won), `${count(won)}, ${windowName()}`);

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
