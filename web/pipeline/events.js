/** @import { Api, HistoryEvent, LeadPage, Note } from './api.js' */
/** @import { EventNames } from './event-names.js' */
import { nameActor } from './actor.js';
import { element, find, isolate } from './dom.js';
import { createEventNames } from './event-names.js';
import { formatMoment } from './format.js';
import { createPanel } from './panel.js';

/** How many events to show. */
const SHOWN = 12;

const panel = find('#events', HTMLElement);
const list = find('ol', HTMLElement, panel);

/** @param {Api} api */
export function createEvents(api) {
  const names = createEventNames(api, SHOWN);
  /** @type {HistoryEvent[]} Newest first. */
  let shown = [];

  /** @param {HistoryEvent[]} events Newest first. */
  function show(events) {
    const known = events.filter((event) => names.leadOf(event) !== undefined);
    shown = withoutRepetition(known, names).slice(0, SHOWN);
    const focused = document.activeElement?.closest('#events li')?.getAttribute('data-id');
    list.replaceChildren(...shown.map((event) => toElement(event, names)));
    find('.none', HTMLElement, panel).hidden = shown.length > 0;
    if (focused) list.querySelector(`[data-id="${focused}"]`)?.querySelector('a')?.focus();
  }

  async function complete() {
    await names.complete(shown);
    show(shown);
  }

  return {
    refresh: createPanel(panel, async (signal) => {
      show(await readLatest(api, names, signal));
      await complete();
    }).refresh,

    /** Shows the events, and their names as soon as they are read. @param {HistoryEvent[]} events Oldest first. */
    add(events) {
      for (const event of events) names.learn(event);
      const known = new Set(shown.map(({ id }) => id));
      show([...events.filter(({ id }) => !known.has(id)).toReversed(), ...shown]);
      return complete();
    },
  };
}

/**
 * The log can only be read forwards, so the last events come from the histories of the leads that changed last, or that have
 * the last notes.
 * @param {Api} api
 * @param {EventNames} names
 * @param {AbortSignal} signal
 */
async function readLatest(api, names, signal) {
  const latest = `sort=-updated_at&per_page=${SHOWN}`;
  /** @type {[LeadPage, { data: Note[] }]} */
  const [{ data: leads }, { data: notes }] = await Promise.all([
    api.get(`/leads?${latest}`, signal),
    api.get(`/notes?${latest}`, signal),
  ]);
  for (const lead of leads) names.learnLead(lead);
  const ids = new Set([...leads.map(({ id }) => id), ...notes.flatMap(({ lead_id: id }) => id ?? [])]);
  const histories = await Promise.all([...ids].map((id) => names.readHistory(id, signal)));
  /** @param {HistoryEvent} event */
  const time = ({ occurred_at }) => Date.parse(occurred_at);
  return histories.flat().sort((one, other) => time(other) - time(one));
}

/**
 * Leaves out `lead.updated` if a more specific event reports the same change.
 * @param {HistoryEvent[]} events
 * @param {EventNames} names
 */
function withoutRepetition(events, names) {
  /** @param {HistoryEvent} event */
  const change = (event) => `${event.occurred_at} ${names.leadOf(event)}`;
  const finer = new Set(
    events.filter(({ type }) => type.startsWith('lead.') && type !== 'lead.updated').map(change),
  );
  return events.filter((event) => event.type !== 'lead.updated' || !finer.has(change(event)));
}

/**
 * @param {HistoryEvent} event
 * @param {EventNames} names
 */
function toElement(event, names) {
  const item = element(
    'li',
    {},
    element('time', { dateTime: event.occurred_at }, formatMoment(event.occurred_at)),
    element('span', { className: 'name' }, nameLead(names.leadOf(event) ?? '', names)),
    element('span', { className: 'what' }, ...tell(event, names)),
    element('span', { className: 'who' }, ...nameActor(names.named(event.actor))),
  );
  item.dataset.id = event.id;
  item.dataset.type = event.type;
  return item;
}

/**
 * A link to the lead, unless it is gone.
 * @param {string} id
 * @param {EventNames} names
 */
function nameLead(id, names) {
  const name = names.leadName(id);
  if (name === null) return element('span', { className: 'gone' }, 'Deleted lead');
  return element('a', { href: `#${id}` }, isolate(name || id));
}

/**
 * With what was written in a note, and the lead that another one was merged into.
 * @param {HistoryEvent} event
 * @param {EventNames} names
 * @returns {(Node | string)[]}
 */
function tell(event, names) {
  if (event.type === 'lead.merged') return ['merged into ', nameLead(event.data.object.merged_into, names)];
  const isWritten = event.type === 'note.created' || event.type === 'note.updated';
  const said = describeEvent(event);
  return isWritten ? [`${said}: `, isolate(event.data.object.text)] : [said];
}

/** @param {HistoryEvent} event */
export function describeEvent(event) {
  switch (event.type) {
    case 'lead.created': {
      const { status, source, source_detail: detail } = event.data.object;
      // Isolated, since the text may be written from right to left.
      return `created as ${status}, source ${source}${detail ? ` (\u2068${detail}\u2069)` : ''}`;
    }
    case 'lead.status_changed':
      return `${event.data.changes.status?.from} → ${event.data.changes.status?.to}`;
    case 'lead.next_step_due':
      return 'next step is due';
    case 'lead.reopened':
      return 'reopened, in a new sales cycle';
    case 'lead.sales_cycle_corrected':
      return `sales cycle ${event.data.object.number} corrected: ${fieldNames(event)}`;
    case 'lead.sales_cycle_deleted':
      return 'sales cycle withdrawn';
    case 'lead.assigned':
      return event.data.object.assigned_user_id === null ? 'no longer assigned' : 'assigned to a user';
    case 'lead.converted':
      return 'converted to a contact';
    case 'lead.returned':
      return 'wrote again';
    case 'lead.merged':
      return 'merged into another lead';
    case 'lead.deleted':
      return 'deleted';
    case 'lead.updated':
      return `changed: ${fieldNames(event)}`;
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

/** @param {HistoryEvent} event */
const fieldNames = ({ data }) => Object.keys(data.changes).map(fieldName).join(', ');

/** The changes of a long value have its digest. @param {string} field */
const fieldName = (field) => field.replace(/_sha256$/, '').replaceAll('_', ' ');
