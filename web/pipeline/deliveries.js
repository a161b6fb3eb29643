/** @import { Api, InboundDelivery, InboundHook } from './api.js' */
import { ApiError } from './api.js';
import { createDeliveryDialog } from './delivery.js';
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
  const open = createDeliveryDialog(api, () => refresh());
  const { refresh } = createPanel(panel, async (signal) => {
    const hooks = await readHooks(api, signal);
    const found = await Promise.all(hooks.map((hook) => readTroubled(api, hook, signal)));
    show(found.flat(), open);
    panel.hidden = hooks.length === 0;
  });
  return refresh;
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

/** @typedef {(hook: InboundHook, delivery: InboundDelivery) => unknown} Open */

/** @param {Item[]} items @param {Open} open */
function show(items, open) {
  const unique = new Map(items.map((item) => [item.delivery.id, item]));
  /** @param {Item} item */
  const time = ({ delivery }) => Date.parse(delivery.created_at);
  const latest = [...unique.values()].sort((one, other) => time(other) - time(one)).slice(0, SHOWN);
  find('ol', HTMLElement, panel).replaceChildren(...latest.map((item) => toElement(item, open)));
  find('.none', HTMLElement, panel).hidden = latest.length > 0;
}

/** @param {Item} item @param {Open} open */
function toElement({ hook, delivery }, open) {
  return element(
    'li',
    {},
    element('time', { dateTime: delivery.created_at }, formatMoment(delivery.created_at)),
    element(
      'button',
      { type: 'button', className: 'name', title: 'Open this delivery', onclick: () => open(hook, delivery) },
      isolate(hook.name),
    ),
    element('span', { className: 'what' }, describeDelivery(delivery)),
    element('code', {}, delivery.status),
  );
}

/** @param {InboundDelivery} delivery */
function describeDelivery({ status, errors, warnings }) {
  const isRejected = status === 'rejected';
  const faults = isRejected
    ? Object.values(errors ?? {}).map(([message = '']) => message)
    : warnings.map(({ field, message }) => (message.startsWith(field) ? message : `${field}: ${message}`));
  const told = faults.slice(0, TOLD).join(' ');
  const more = faults.length > TOLD ? ` And ${faults.length - TOLD} more.` : '';
  return `${isRejected ? 'Rejected: ' : ''}${told}${more}`;
}
