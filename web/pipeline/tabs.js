/** @import { Column } from './column.js' */
import { element, find, setText } from './dom.js';
import { capitalize, formatNumber } from './format.js';

/**
 * Choices for the one column that a narrow screen shows.
 * @param {Column[]} columns
 */
export function createTabs(columns) {
  const totals = columns.map(() => element('span', { className: 'total' }));
  /** @param {string} status */
  const show = (status) => {
    for (const column of columns) column.part.classList.toggle('shown', column.status === status);
  };
  const inputs = columns.map(({ status }, index) => {
    const input = element('input', {
      type: 'radio',
      name: 'column',
      value: status,
      defaultChecked: index === 0,
    });
    input.addEventListener('change', () => show(status));
    return input;
  });
  show(columns[0]?.status ?? '');
  const tabs = columns.map(({ status }, index) =>
    element('label', {}, inputs[index] ?? '', element('span', {}, capitalize(status)), totals[index] ?? ''),
  );
  const group = find('#board .tabs', HTMLFieldSetElement);
  group.replaceChildren(find('legend', HTMLLegendElement, group), ...tabs);
  return {
    showTotals() {
      for (const [index, column] of columns.entries()) {
        const total = totals[index];
        if (total !== undefined) setText(total, formatNumber(column.total()));
      }
    },

    /** Shows the first column with leads, if the chosen one has none, as after a search. */
    showHits() {
      const index = columns.findIndex((column) => column.total() > 0);
      const hit = columns[index];
      const chosen = inputs.findIndex(({ checked }) => checked);
      if (hit === undefined || (columns[chosen]?.total() ?? 0) > 0) return;
      const input = inputs[index];
      if (input !== undefined) input.checked = true;
      show(hit.status);
    },
  };
}
