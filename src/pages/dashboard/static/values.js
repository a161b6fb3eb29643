/** @import { Api, PipelineRow } from './api.js' */
import { find, setText } from './dom.js';
import { formatMoney } from './format.js';

/**
 * Shows the total value of each column on the board, but only for leads in the pipeline: the report counts others by the time
 * when they were won or lost. A client that may not read reports sees no values.
 * @param {Api} api
 */
export function createValues(api) {
  return async function refresh() {
    /** @type {{ data: PipelineRow[] } | undefined} */
    const report = await api.get('/analytics/pipeline').catch(() => undefined);
    for (const status of ['new', 'contacted', 'qualified']) {
      const rows = report?.data.filter((row) => row.status === status && row.leads > 0) ?? [];
      const sums = rows.flatMap(({ value, currency }) =>
        value === null || currency === null ? [] : [formatMoney(value, currency)],
      );
      setText(find(`#column-${status} .value`, HTMLElement), sums.join(' + '));
    }
  };
}
