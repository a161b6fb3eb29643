/** @import { Api } from './api.js' */
/** @import { Filters } from './filters.js' */
/** @import { components } from '../../generated/api.ts' */
import { describe, sleep } from './api.js';
import { element, find } from './dom.js';
import { isSandbox, may } from './session.js';

/** @typedef {components['schemas']['BulkJob']} BulkJob */

/** How many leads a click adds to the sandbox. */
const LEADS = 200;
/** How long to wait before asking again whether they are there. Milliseconds. */
const PAUSE = 500;

const board = find('#board', HTMLElement);
const part = find('#nothing', HTMLElement);

/**
 * What the board shows instead of empty columns: what to do next. Returns a function that shows or hides it.
 * @param {Api} api
 * @param {{ filters: Filters, onFilled: () => unknown }} page
 */
export function createEmptyState(api, { filters, onFilled }) {
  /** What is shown now: setting it again would take the focus from its buttons. */
  let shown = '';

  /** @param {number} total */
  return function show(total) {
    const wanted = total > 0 ? '' : filters.isActive() ? 'no result' : 'no leads';
    if (wanted === shown) return;
    shown = wanted;
    board.classList.toggle('empty', wanted !== '');
    part.hidden = wanted === '';
    if (wanted === 'no result') part.replaceChildren(...noResult(filters));
    if (wanted === 'no leads') part.replaceChildren(...noLeads(api, onFilled));
  };
}

/** @param {Filters} filters */
function noResult(filters) {
  return [
    element('h3', {}, 'No lead matches'),
    element('p', {}, 'Look for fewer words, or choose another owner, source or tag.'),
    element('button', { type: 'button', className: 'primary', onclick: filters.reset }, 'Show all leads'),
  ];
}

/**
 * @param {Api} api
 * @param {() => unknown} onFilled
 */
function noLeads(api, onFilled) {
  if (!may('leads:write')) {
    return [
      element('h3', {}, 'No leads yet'),
      element('p', {}, 'They appear here as soon as there are any.'),
    ];
  }
  return [
    element('h3', {}, 'No leads yet'),
    element(
      'p',
      {},
      'Add the first one, or ',
      element('a', { href: '../docs/#/Imports' }, 'import a file'),
      ' with those that you have. A ',
      element('a', { href: '../docs/#/Inbound%20hooks' }, 'form on your website'),
      ' or another program can send more.',
    ),
    element(
      'button',
      { type: 'button', className: 'primary', onclick: () => find('#add-lead', HTMLElement).click() },
      'Add a lead',
    ),
    ...(isSandbox() && may('write') ? [seeding(api, onFilled)] : []),
  ];
}

/**
 * Waits until the job is over. Throws if it failed.
 * @param {Api} api
 * @param {BulkJob} job
 */
async function finish(api, job) {
  if (job.status === 'queued' || job.status === 'running') {
    await sleep(PAUSE);
    const { data } = await api.get(`/bulk-jobs/${job.id}`);
    await finish(api, data);
  } else if (job.status !== 'completed') {
    throw new Error(job.failure?.message ?? 'The sandbox was not filled.');
  }
}

/**
 * A button that fills the sandbox, and what becomes of it.
 * @param {Api} api
 * @param {() => unknown} onFilled
 */
function seeding(api, onFilled) {
  const state = element('p', { className: 'hint' });
  state.setAttribute('role', 'status');
  const button = element('button', { type: 'button' }, `Fill the sandbox with ${LEADS} made-up leads`);
  button.addEventListener('click', async () => {
    button.disabled = true;
    state.textContent = 'Filling the sandbox…';
    try {
      // A seed can be used once until the sandbox is reset.
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
      const body = { leads: LEADS, seed: seed % 2 ** 31 };
      const { data: job } = await api.write('POST', '/sandbox/seed', { body });
      await finish(api, job);
      await onFilled();
    } catch (error) {
      state.textContent = describe(error);
    }
    button.disabled = false;
  });
  return element('div', {}, button, state);
}
