/** @import { Api, InboundDelivery, InboundHook } from './api.js' */
import { ApiError } from './api.js';
import { element, find, isolate } from './dom.js';
import { formatMoment } from './format.js';
import { createPanel } from './panel.js';

/** How many deliveries to show, and to read of each hook. */
const SHOWN = 6;
/** How many hooks to look at. Each takes two requests. */
const HOOKS = 20;
/** Faults of a delivery that are told. */
const TOLD = 3;

const panel = find('#deliveries', HTMLElement);

/** @typedef {{ hook: InboundHook, delivery: InboundDelivery }} Item */

/**
 * Shows the latest deliveries that were rejected or had warnings. Hidden without inbound hooks, and from a client that may
 * not read them.
 * @param {Api} api
 */
export function createDeliveries(api) {
  return createPanel(panel, async (signal) => {
    const hooks = await readHooks(api, signal);
    const found = await Promise.all(hooks.map((hook) => readTroubled(api, hook, signal)));
    show(found.flat());
    panel.hidden = hooks.length === 0;
  }).refresh;
}

/**
 * @param {Api} api
 * @param {AbortSignal} signal
 * @returns {Promise<InboundHook[]>}
 */
async function readHooks(api, signal) {
  try {
    return (await api.get(`/inbound-hooks?per_page=${HOOKS}`, signal)).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    panel.hidden = false;
    throw error;
  }
}

/**
 * Nothing if the hook has been deleted in the meantime.
 * @param {Api} api
 * @param {InboundHook} hook
 * @param {AbortSignal} signal
 * @returns {Promise<Item[]>}
 */
async function readTroubled(api, hook, signal) {
  const path = `/inbound-hooks/${hook.id}/deliveries?per_page=${SHOWN}`;
  try {
    /** @type {{ data: InboundDelivery[] }[]} */
    const pages = await Promise.all([
      api.get(`${path}&status=rejected`, signal),
      api.get(`${path}&has_warnings=true`, signal),
    ]);
    return pages.flatMap(({ data }) => data.map((delivery) => ({ hook, delivery })));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** @param {Item[]} items */
function show(items) {
  const unique = new Map(items.map((item) => [item.delivery.id, item]));
  /** @param {Item} item */
  const time = ({ delivery }) => Date.parse(delivery.created_at);
  const latest = [...unique.values()].sort((one, other) => time(other) - time(one)).slice(0, SHOWN);
  find('ol', HTMLElement, panel).replaceChildren(...latest.map(toElement));
  find('.none', HTMLElement, panel).hidden = latest.length > 0;
}

/** @param {Item} item */
function toElement({ hook, delivery }) {
  return element(
    'li',
    {},
    element('time', { dateTime: delivery.created_at }, formatMoment(delivery.created_at)),
    element('span', { className: 'name' }, isolate(hook.name)),
    element('span', { className: 'what' }, describeDelivery(delivery)),
    element('code', {}, delivery.status),
  );
}

/** @param {InboundDelivery} delivery */
function describeDelivery({ status, errors, warnings }) {
  const isRejected = status === 'rejected';
  const faults = isRejected
    ? Object.entries(errors ?? {}).map(([field, [message = '']]) => toSentence(field, message))
    : warnings.map(({ field, message }) => toSentence(field, message));
  const told = faults.slice(0, TOLD).join(' ');
  const more = faults.length > TOLD ? ` And ${faults.length - TOLD} more.` : '';
  return `${isRejected ? 'Rejected: ' : ''}${told}${more}`;
}

/**
 * Some messages have the field as their subject: "is required".
 * @param {string} field
 * @param {string} message
 */
function toSentence(field, message) {
  const sentence = /^[a-z]/.test(message) ? `${field} ${message}` : `${field}: ${message}`;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
