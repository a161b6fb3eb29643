/** @import { Api, SalesCycle } from '../api.js' */
import { element, isolate } from '../dom.js';
import { formatInstant, formatMoney } from '../format.js';
import { createPanel } from '../panel.js';
import { createSection } from './section.js';

/** How many to show. */
const SHOWN = 20;

/**
 * The sales cycles of the lead, the newest first. Of a lead that never came back, the details say everything.
 * @param {Api} api
 * @param {string} id
 */
export function createCycles(api, id) {
  const list = element('ol', { className: 'history' });
  const part = createSection('Sales cycles', list);
  part.hidden = true;
  const { refresh } = createPanel(part, async (signal) => {
    const { data } = await api.get(`/sales-cycles?lead_id=${id}&sort=-opened_at&per_page=${SHOWN}`, signal);
    part.hidden = data.length < 2;
    list.replaceChildren(...data.map(toElement));
  });
  return { part, refresh };
}

/** @param {SalesCycle} cycle */
function toElement({ number, status, value, lost_reason: reason, opened_at: opened, closed_at: closed }) {
  const facts = [
    `${number}. ${status}`,
    ...(value === null ? [] : [formatMoney(value.amount, value.currency)]),
  ];
  return element(
    'li',
    {},
    element('p', {}, facts.join(' · '), ...(reason === null ? [] : [': ', isolate(reason)])),
    element(
      'p',
      { className: 'hint' },
      'From ',
      element('time', { dateTime: opened }, formatInstant(opened)),
      ...(closed === null ? [] : [' to ', element('time', { dateTime: closed }, formatInstant(closed))]),
    ),
  );
}
