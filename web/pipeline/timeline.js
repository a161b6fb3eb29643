/** @import { Api, LeadSource, TimeseriesPoint } from './api.js' */
/** @import { Filters } from './filters.js' */
import { createChart } from './chart.js';
import { element, find } from './dom.js';
import { formatDay, formatMonth, formatNumber } from './format.js';
import { createPanel } from './panel.js';
import { reportWindow } from './report-window.js';

/** @typedef {{ label: string, created: Record<LeadSource, number> }} Period */

/** From the bottom of a bar to its top. The compiler checks that no source is missing. */
const names = /** @satisfies {Record<LeadSource, string>} */ ({
  website: 'Website',
  referral: 'Referral',
  api: 'API',
  manual: 'Manual',
});
const sources = /** @type {LeadSource[]} */ (Object.keys(names));

const panel = find('#timeline', HTMLElement);
const content = find('.content', HTMLElement, panel);
const none = find('.none', HTMLElement, panel);

/**
 * @param {Api} api
 * @param {Filters} filters
 */
export function createTimeline(api, filters) {
  /** @type {ReturnType<typeof createChart> | undefined} */
  let chart;
  /** @type {Period[]} */
  let periods = [];
  return createPanel(panel, async (signal) => {
    const { from, interval } = reportWindow();
    const query = new URLSearchParams({ from, interval, group_by: 'source', ...filters.reportQuery() });
    const { data } = await api.get(`/analytics/timeseries?${query}`, signal);
    periods = toPeriods(data, interval);
    none.hidden = periods.length > 0;
    content.hidden = periods.length === 0;
    if (periods.length === 0) return;
    chart ??= createChart(find('.chart', HTMLElement, panel), sources, (index) => showLegend(periods, index));
    chart.show(
      periods.map(({ label, created }) => ({ label, values: sources.map((source) => created[source]) })),
    );
    showLegend(periods, undefined);
    showTable(periods);
    describe(periods, interval);
  }).refresh;
}

/**
 * @param {TimeseriesPoint[]} points
 * @param {string} interval
 * @returns {Period[]}
 */
function toPeriods(points, interval) {
  const groups = Map.groupBy(points, ({ period_start }) => period_start);
  return [...groups].map(([start, group]) => ({
    label: interval === 'month' ? formatMonth(start) : formatDay(start),
    created: perSource((source) => group.find((point) => point.group === source)?.created ?? 0),
  }));
}

/**
 * @param {(source: LeadSource) => number} count
 * @returns {Record<LeadSource, number>}
 */
function perSource(count) {
  return {
    website: count('website'),
    referral: count('referral'),
    api: count('api'),
    manual: count('manual'),
  };
}

/** @param {Period} period */
const total = ({ created }) => sources.reduce((sum, source) => sum + created[source], 0);

/**
 * The figures of one period, or of all.
 * @param {Period[]} periods
 * @param {number | undefined} index
 */
function showLegend(periods, index) {
  const shown = index === undefined ? periods : periods.slice(index, index + 1);
  const sum = shown.reduce((all, period) => all + total(period), 0);
  const label = index === undefined ? 'Total' : (shown[0]?.label ?? '');
  find('.legend .period', HTMLElement, panel).textContent = `${label}: ${formatNumber(sum)}`;
  const items = sources.map((source) => {
    const count = shown.reduce((all, { created }) => all + created[source], 0);
    const item = element('li', {}, `${names[source]} ${formatNumber(count)}`);
    item.dataset.source = source;
    return item;
  });
  find('.legend ul', HTMLElement, panel).replaceChildren(...items);
}

/** @param {Period[]} periods */
function showTable(periods) {
  const columns = ['Period', ...Object.values(names), 'Total'];
  const head = element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name)));
  const rows = periods.map((period) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, period.label),
      ...[...sources.map((source) => period.created[source]), total(period)].map((count) =>
        element('td', {}, formatNumber(count)),
      ),
    ),
  );
  find('thead', HTMLElement, panel).replaceChildren(head);
  find('tbody', HTMLElement, panel).replaceChildren(...rows);
}

/**
 * Describes the chart for people who can't see it.
 * @param {Period[]} periods
 * @param {string} interval
 */
function describe(periods, interval) {
  const most = periods.reduce((best, period) => (total(period) > total(best) ? period : best));
  const sum = periods.reduce((all, period) => all + total(period), 0);
  find('.chart', HTMLElement, panel).ariaLabel =
    `Stacked bars: leads created each ${interval}, by source. ${formatNumber(sum)} in all. ` +
    `The most were ${formatNumber(total(most))}, on or from ${most.label}. The table below has every figure.`;
}
