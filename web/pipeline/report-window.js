import { find } from './dom.js';

const DAY = 86_400_000;

const select = find('#window', HTMLSelectElement);

/** The reports' query for the chosen window. Days are in UTC. */
export function reportWindow() {
  const days = Number(select.value);
  const from = new Date(Date.now() - (days - 1) * DAY).toISOString().slice(0, 10);
  return { from, interval: select.selectedOptions[0]?.dataset.interval ?? 'day' };
}

/** Such as "last 30 days". */
export const windowName = () => (select.selectedOptions[0]?.textContent ?? '').toLowerCase();

/** @param {() => unknown} listener */
export function onWindowChange(listener) {
  select.addEventListener('change', listener);
}
