/** @import { Column } from './column.js' */
import { element, find, setText } from './dom.js';
import { capitalize, formatNumber } from './format.js';

/**
 * Choices for the one column that a narrow screen shows. Returns a function that shows the totals.
 * @param {Column[]} columns
 */
export function createTabs(columns) {
  const totals = columns.map(() => element('span', { className: 'total' }));
  const tabs = columns.map(({ status, part }, index) => {
    const input = element('input', {
      type: 'radio',
      name: 'column',
      value: status,
      defaultChecked: index === 0,
    });
    part.classList.toggle('shown', index === 0);
    input.addEventListener('change', () => {
      for (const column of columns) column.part.classList.toggle('shown', column.status === status);
    });
    return element('label', {}, input, element('span', {}, capitalize(status)), totals[index] ?? '');
  });
  const group = find('#board .tabs', HTMLFieldSetElement);
  group.replaceChildren(find('legend', HTMLLegendElement, group), ...tabs);
  return () => {
    for (const [index, column] of columns.entries()) {
      const total = totals[index];
      if (total !== undefined) setText(total, formatNumber(column.total()));
    }
  };
}
