/** @import { Api, Lead, LeadEvent, LeadPage } from './api.js' */
import { element, find } from './dom.js';
import { formatMoment } from './format.js';
import { createPanel } from './panel.js';

/** Events that are shown. */
const SHOWN = 12;

const panel = find('#events', HTMLElement);

/** @param {Api} api */
export function createEvents(api) {
  /** @type {LeadEvent[]} Newest first. */
  let shown = [];

  /** @param {LeadEvent[]} events Newest first. */
  function show(events) {
    shown = withoutRepetition(events).slice(0, SHOWN);
    find('ol', HTMLElement, panel).replaceChildren(...shown.map(toItem));
  }

  return {
    refresh: createPanel(panel, async (signal) => show(await readLatest(api, signal))).refresh,

    /** @param {LeadEvent[]} events Oldest first, as the log has them. */
    add(events) {
      const known = new Set(shown.map(({ id }) => id));
      show([...events.filter(({ id }) => !known.has(id)).reverse(), ...shown]);
    },
  };
}

/**
 * The log is read from its beginning to its end, so its last events are gathered from the histories of the leads that
 * changed last.
 * @param {Api} api
 * @param {AbortSignal} signal
 */
async function readLatest(api, signal) {
  /** @type {LeadPage} */
  const { data } = await api.get(`/leads?sort=-updated_at&per_page=${SHOWN}`, signal);
  const histories = await Promise.all(
    data.map(async ({ id }) => {
      /** @type {{ data: LeadEvent[] }} */
      const history = await api.get(`/leads/${id}/events?per_page=${SHOWN}`, signal);
      return history.data;
    }),
  );
  return histories.flat().sort((one, other) => Date.parse(other.occurred_at) - Date.parse(one.occurred_at));
}

/**
 * Leaves out `lead.updated` where a finer event tells the same change.
 * @param {LeadEvent[]} events
 */
function withoutRepetition(events) {
  /** @param {LeadEvent} event */
  const change = ({ occurred_at, data }) => `${occurred_at} ${data.object.id}`;
  const finer = new Set(events.filter(({ type }) => type !== 'lead.updated').map(change));
  return events.filter((event) => event.type !== 'lead.updated' || !finer.has(change(event)));
}

/** @param {LeadEvent} event */
function toItem(event) {
  return element(
    'li',
    {},
    element('time', { dateTime: event.occurred_at }, formatMoment(event.occurred_at)),
    element('span', { className: 'name' }, nameOf(event.data.object)),
    element('span', { className: 'what' }, describeEvent(event)),
    element('code', {}, event.type),
  );
}

/** The events of a deleted lead have its id alone. @param {Partial<Lead>} lead */
const nameOf = ({ name, id }) => name || id || '';

/** @param {LeadEvent} event */
function describeEvent(event) {
  switch (event.type) {
    case 'lead.created':
      return `created as ${event.data.object.status}, source ${event.data.object.source}`;
    case 'lead.status_changed':
      return `${event.data.changes.status?.from} → ${event.data.changes.status?.to}`;
    case 'lead.assigned':
      return event.data.object.assigned_user_id === null ? 'no longer assigned' : 'assigned to a user';
    case 'lead.converted':
      return 'converted to a contact';
    case 'lead.deleted':
      return 'deleted';
    case 'lead.updated':
      return `changed: ${Object.keys(event.data.changes).join(', ').replaceAll('_', ' ')}`;
  }
}
