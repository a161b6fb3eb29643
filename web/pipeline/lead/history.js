/** @import { Api, HistoryEvent } from '../api.js' */
/** @import { Names } from './names.js' */
import { nameActor } from '../actor.js';
import { element, isolate } from '../dom.js';
import { describeEvent } from '../events.js';
import { formatInstant } from '../format.js';
import { createPanel } from '../panel.js';
import { createSection } from './section.js';

/** How many events to show first, and how many each "Show more" adds. */
const PAGE = 20;

/**
 * What happened to the lead and who did it, the newest first.
 * @param {Api} api
 * @param {string} id
 * @param {Names} names
 */
export function createHistory(api, id, names) {
  const list = element('ol', { className: 'history' });
  const more = element('button', { type: 'button', hidden: true }, 'Show more history');
  const part = createSection('History', list, more);
  let wanted = PAGE;

  const { refresh } = createPanel(part, async (signal) => {
    const { data, meta } = await api.get(`/leads/${id}/events?per_page=${Math.min(wanted, 100)}`, signal);
    list.replaceChildren(...withoutRepetition(data).map((event) => toElement(event, names)));
    more.hidden = data.length >= meta.total || wanted >= 100;
  });
  more.addEventListener('click', () => {
    wanted += PAGE;
    refresh();
  });
  return { part, refresh };
}

/** Leaves out `lead.updated` if a more specific event reports the same change. @param {HistoryEvent[]} events */
function withoutRepetition(events) {
  const finer = new Set(
    events.filter(({ type }) => type !== 'lead.updated').map(({ occurred_at: time }) => time),
  );
  return events.filter(({ type, occurred_at: time }) => type !== 'lead.updated' || !finer.has(time));
}

/** @param {HistoryEvent} event @param {Names} names */
function toElement(event, names) {
  return element(
    'li',
    {},
    element('p', {}, ...toSentence(event, names)),
    element(
      'p',
      { className: 'hint' },
      element('time', { dateTime: event.occurred_at }, formatInstant(event.occurred_at)),
      ' · ',
      ...nameActor(event.actor),
    ),
  );
}

/** @param {HistoryEvent} event @param {Names} names @returns {(Node | string)[]} */
function toSentence(event, names) {
  if (event.type === 'lead.assigned' && event.data.object.assigned_user_id !== null) {
    return ['assigned to ', names.show(event.data.object.assigned_user_id)];
  }
  if (event.type === 'lead.status_changed' && event.data.object.lost_reason !== null) {
    return [`${describeEvent(event)}: `, isolate(event.data.object.lost_reason)];
  }
  if (event.type === 'note.created') return ['note added: ', isolate(event.data.object.text)];
  return [describeEvent(event)];
}
