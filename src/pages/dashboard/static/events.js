/** @import { Api, HistoryEvent, Lead, LeadPage } from './api.js' */
import { ApiError } from './api.js';
import { element, find, isolate } from './dom.js';
import { formatMoment } from './format.js';
import { createPanel } from './panel.js';

/** How many events to show. */
const SHOWN = 12;

const panel = find('#events', HTMLElement);

/**
 * An event, and its lead. The event of a deleted lead has only its id, and a note has its lead's id.
 * @typedef {{ event: HistoryEvent, lead: Pick<Lead, 'id'> & Partial<Lead> }} Item
 */

/** @param {Api} api */
export function createEvents(api) {
  /** @type {Item[]} Newest first. */
  let shown = [];

  /** @param {Item[]} items Newest first. */
  function show(items) {
    shown = withoutRepetition(items).slice(0, SHOWN);
    find('ol', HTMLElement, panel).replaceChildren(...shown.map(toElement));
    find('.none', HTMLElement, panel).hidden = shown.length > 0;
  }

  return {
    refresh: createPanel(panel, async (signal) => show(await readLatest(api, signal))).refresh,

    /** @param {HistoryEvent[]} events Oldest first, as the log has them. */
    add(events) {
      const known = new Set(shown.map(({ event }) => event.id));
      const items = [...shown];
      for (const event of events) if (!known.has(event.id)) items.unshift(...toItems(event, items));
      show(items);
    },
  };
}

/**
 * The event as an item, or nothing for a contact's note, or a note about a lead that is not shown.
 * @param {HistoryEvent} event
 * @param {Item[]} items
 * @returns {Item[]}
 */
function toItems(event, items) {
  const { object } = event.data;
  if (!event.type.startsWith('note.')) return [{ event, lead: object }];
  const before = items.find((item) => item.event.data.object.id === object.id);
  const id = 'lead_id' in object ? object.lead_id : (before?.lead.id ?? null);
  if (id === null) return [];
  return [
    { event, lead: items.find(({ lead }) => lead.id === id && lead.name !== undefined)?.lead ?? { id } },
  ];
}

/**
 * The log can only be read forwards, so the last events come from the histories of the leads that changed last.
 * @param {Api} api
 * @param {AbortSignal} signal
 */
async function readLatest(api, signal) {
  /** @type {LeadPage} */
  const { data } = await api.get(`/leads?sort=-updated_at&per_page=${SHOWN}`, signal);
  const histories = await Promise.all(data.map((lead) => readHistory(api, lead, signal)));
  /** @param {Item} item */
  const time = ({ event }) => Date.parse(event.occurred_at);
  return histories.flat().sort((one, other) => time(other) - time(one));
}

/**
 * Nothing if the lead has been deleted or merged in the meantime.
 * @param {Api} api
 * @param {Lead} lead
 * @param {AbortSignal} signal
 * @returns {Promise<Item[]>}
 */
async function readHistory(api, lead, signal) {
  try {
    /** @type {{ data: HistoryEvent[] }} */
    const { data } = await api.get(`/leads/${lead.id}/events?per_page=${SHOWN}`, signal);
    return data.map((event) => ({ event, lead: event.type.startsWith('note.') ? lead : event.data.object }));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return [];
    throw error;
  }
}

/**
 * Leaves out `lead.updated` if a more specific event reports the same change.
 * @param {Item[]} items
 */
function withoutRepetition(items) {
  /** @param {Item} item */
  const change = ({ event, lead }) => `${event.occurred_at} ${lead.id}`;
  const finer = new Set(
    items.filter(({ event: { type } }) => type.startsWith('lead.') && type !== 'lead.updated').map(change),
  );
  return items.filter((item) => item.event.type !== 'lead.updated' || !finer.has(change(item)));
}

/** @param {Item} item */
function toElement({ event, lead }) {
  return element(
    'li',
    {},
    element('time', { dateTime: event.occurred_at }, formatMoment(event.occurred_at)),
    element('span', { className: 'name' }, isolate(lead.name || lead.id)),
    element('span', { className: 'what' }, describeEvent(event)),
    element('code', {}, event.type),
  );
}

/** @param {HistoryEvent} event */
function describeEvent(event) {
  switch (event.type) {
    case 'lead.created': {
      const { status, source, source_detail: detail } = event.data.object;
      // Isolated, since the text may be written from right to left.
      return `created as ${status}, source ${source}${detail ? ` (\u2068${detail}\u2069)` : ''}`;
    }
    case 'lead.status_changed':
      return `${event.data.changes.status?.from} → ${event.data.changes.status?.to}`;
    case 'lead.assigned':
      return event.data.object.assigned_user_id === null ? 'no longer assigned' : 'assigned to a user';
    case 'lead.converted':
      return 'converted to a contact';
    case 'lead.enquired':
      return 'enquired again';
    case 'lead.merged':
      return 'merged into another lead';
    case 'lead.deleted':
      return 'deleted';
    case 'lead.updated':
      return `changed: ${Object.keys(event.data.changes).map(fieldName).join(', ')}`;
    case 'note.created':
      return 'note added';
    case 'note.updated':
      return 'note changed';
    case 'note.deleted':
      return 'note deleted';
    default:
      // A type of a newer service.
      return '';
  }
}

/** The changes of a long value have its digest. @param {string} field */
const fieldName = (field) => field.replace(/_sha256$/, '').replaceAll('_', ' ');
