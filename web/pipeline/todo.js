/** @import { Api, Lead, LeadPage } from './api.js' */
import { element, find, fromTemplate, isolate } from './dom.js';
import { formatMoment, formatNumber } from './format.js';
import { createPanel } from './panel.js';

/** How many leads to show. */
const SHOWN = 20;

/**
 * The leads whose next step is due today, or was due before, the most urgent first.
 * @param {Api} api
 * @param {() => Record<string, string>} query The search and the filters.
 */
export function createTodo(api, query) {
  const part = fromTemplate('#column-template');
  const list = find('ul', HTMLUListElement, part);
  const count = element('span', { className: 'total' });
  const heading = element('h3', { id: 'column-todo' }, 'To do ', count);
  find('.more', HTMLElement, part).hidden = true;
  part.prepend(heading);
  part.className = 'todo';
  part.setAttribute('aria-labelledby', heading.id);

  const { refresh } = createPanel(part, async (signal) => {
    const parameters = new URLSearchParams({
      ...query(),
      next_step_to: endOfToday(),
      sort: 'next_step_at',
      per_page: String(SHOWN),
    });
    /** @type {LeadPage} */
    const { data, meta } = await api.get(`/leads?${parameters}`, signal);
    count.textContent = formatNumber(meta.total);
    const nothing = element('li', { className: 'empty' }, 'Nothing is due today.');
    list.replaceChildren(...(data.length > 0 ? data.map(toElement) : [nothing]));
  });
  return { part, refresh };
}

/** In the time zone of whoever looks at it. */
function endOfToday() {
  const end = new Date();
  end.setHours(23, 59, 59, 999);
  return end.toISOString();
}

/** @param {Lead} lead */
function toElement({ id, name, next_step: step, next_step_at: at }) {
  const time = at ?? '';
  return element(
    'li',
    { className: 'due' },
    element('a', { href: `#${id}` }, isolate(name)),
    element('p', {}, step === null ? '' : isolate(step)),
    element('p', { className: 'hint' }, element('time', { dateTime: time }, formatMoment(time))),
  );
}
