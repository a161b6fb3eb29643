/** @import { Api, Funnel } from './api.js' */
/** @import { Filters } from './filters.js' */
import { element, find } from './dom.js';
import { capitalize, formatDuration, formatNumber, formatRatio } from './format.js';
import { createPanel } from './panel.js';
import { reportWindow } from './report-window.js';

const panel = find('#funnel', HTMLElement);

/**
 * @param {Api} api
 * @param {Filters} filters
 */
export function createFunnel(api, filters) {
  return createPanel(panel, async (signal) => {
    const query = new URLSearchParams({ from: reportWindow().from, ...filters.reportQuery() });
    const { data } = await api.get(`/analytics/funnel?${query}`, signal);
    show(data);
  }).refresh;
}

/** @param {Funnel} funnel */
function show({ stages, lost, open }) {
  const table = find('table', HTMLTableElement, panel);
  find('tbody', HTMLTableSectionElement, table).replaceChildren(...stages.map(toRow));
  table.hidden = false;
  find('.summary', HTMLElement, panel).textContent =
    `${formatNumber(open)} still open, ${formatNumber(lost)} lost.`;
}

/** @param {Funnel['stages'][number]} stage */
function toRow({ status, reached, share_of_cohort, rate_from_previous, median_seconds_from_previous }) {
  const bar = element('span', { hidden: reached === 0 });
  bar.style.inlineSize = `${(share_of_cohort ?? 0) * 100}%`;
  const row = element(
    'tr',
    {},
    element('th', { scope: 'row' }, capitalize(status)),
    element('td', { className: 'number' }, formatNumber(reached)),
    element('td', { className: 'bar' }, bar),
    element('td', { className: 'number' }, formatRatio(rate_from_previous)),
    element('td', { className: 'number' }, formatDuration(median_seconds_from_previous)),
  );
  row.dataset.status = status;
  return row;
}
