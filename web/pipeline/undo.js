/** @import { Api, Lead, UpdateLead } from './api.js' */
import { ApiError, describe } from './api.js';
import { element, find, isolate } from './dom.js';
import { showNotice } from './notice.js';

/** How long a change can be undone. Milliseconds. */
const OFFERED = 15_000;

const place = find('#undo', HTMLElement);

/** @typedef {ReturnType<typeof createUndo>} Undo */

/**
 * Offers to undo the last change for some seconds. A close or a reopening is withdrawn, so that no report counts it. Undoing
 * anything else is another change: the history shows both.
 * @param {Api} api
 * @param {(lead: Lead) => unknown} onUndone
 */
export function createUndo(api, onUndone) {
  /** @type {(() => Promise<void>) | undefined} */
  let undo;
  let timer = 0;
  /** What is done when the time is over, or something else happens. @type {(() => unknown) | undefined} */
  let pending;

  function forget() {
    const due = pending;
    clearTimeout(timer);
    pending = undefined;
    undo = undefined;
    place.hidden = true;
    due?.();
  }

  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
    if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey || undo === undefined)
      return;
    // Fields have an undo of their own.
    if (target instanceof Element && target.matches('input, textarea, select')) return;
    event.preventDefault();
    undo();
  });

  /** Shows a message for some seconds. @param {(Node | string)[]} message */
  function tell(...message) {
    place.replaceChildren(...message);
    place.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(forget, OFFERED);
  }

  return {
    /** Says what has happened that can't be undone here. @param {(Node | string)[]} message */
    tell(...message) {
      forget();
      tell(element('span', {}, ...message));
    },

    /**
     * Does something that can't be undone after these seconds, unless somebody says Undo. A page that is closed meanwhile
     * does nothing.
     * @param {() => unknown} act
     * @param {(Node | string)[]} message What will happen.
     */
    delay(act, ...message) {
      forget();
      pending = act;
      undo = async () => {
        pending = undefined;
        forget();
      };
      tell(element('span', {}, ...message), buttonFor(undo));
    },

    /**
     * @param {Lead} before
     * @param {Lead} after
     * @param {(Node | string)[]} message What has happened.
     */
    offer(before, after, ...message) {
      forget();
      if (before.version === after.version) return;
      undo = async () => {
        forget();
        try {
          const data = await restore(api, before, after);
          tell(element('span', {}, 'Undone: ', isolate(data.name), ' is as before.'));
          onUndone(data);
        } catch (error) {
          showNotice(isolate(before.name), ...refusal(error));
          onUndone(after);
        }
      };
      tell(element('span', {}, ...message), buttonFor(undo));
    },
  };
}

/**
 * @param {Api} api
 * @param {Lead} before
 * @param {Lead} after
 * @returns {Promise<Lead>}
 */
async function restore(api, before, after) {
  const cycle = `/sales-cycles/${after.sales_cycle.id}`;
  const isNext = before.sales_cycle.id !== after.sales_cycle.id;
  let current = after;
  if (isNext || (isClosed(after) && !isClosed(before))) {
    // Fails if somebody has changed the lead since. Changes nothing.
    await api.updateLead(after, {});
    await (isNext
      ? api.write('DELETE', cycle, {})
      : api.write('PATCH', cycle, { body: { status: before.status } }));
    ({ data: current } = await api.get(`/leads/${after.id}`));
  }
  const { data } = await api.updateLead(current, toRestore(before, current));
  return data;
}

/** @param {Lead} lead */
const isClosed = ({ status }) => status === 'won' || status === 'lost';

/** What has happened to a lead that has moved to another status. @param {Lead} before @param {Lead} after */
export function describeMove(before, after) {
  const { number } = after.sales_cycle;
  const isNext = before.sales_cycle.id !== after.sales_cycle.id;
  return ` is now ${after.status}${isNext ? `, in sales cycle ${number}. The one before stays ${before.status}` : ''}.`;
}

/** @param {() => unknown} undo */
const buttonFor = (undo) =>
  element('button', { type: 'button', onclick: undo, ariaKeyShortcuts: 'Control+Z' }, 'Undo');

/**
 * The merge patch that makes the lead what it was. The time of its status and the first times of statuses are history, and stay.
 * @param {Lead} before
 * @param {Lead} after
 * @returns {UpdateLead}
 */
function toRestore(before, after) {
  const fields = /** @type {const} */ ([
    'name',
    'email',
    'phone',
    'status',
    'source',
    'source_detail',
    'company',
    'assigned_user_id',
    'content_id',
    'external_id',
    'lost_reason',
    'value',
    'expected_close_on',
    'next_step',
    'next_step_at',
    'tags',
  ]);
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const added = Object.keys(after.metadata).filter((key) => !(key in before.metadata));
  const isOther = JSON.stringify(before.metadata) !== JSON.stringify(after.metadata);
  return {
    ...Object.fromEntries(changed.map((field) => [field, before[field]])),
    ...(isOther && {
      metadata: { ...before.metadata, ...Object.fromEntries(added.map((key) => [key, null])) },
    }),
  };
}

/** @param {unknown} error */
function refusal(error) {
  if (error instanceof ApiError && error.status === 412) {
    return [' was not changed back, because someone else has changed this lead in the meantime.'];
  }
  return [` was not changed back. ${describe(error)}`];
}
