/** @import { Api, Lead, LeadPage } from '../api.js' */
import { element, find, isolate } from '../dom.js';

/** @typedef {(lead: Lead) => Promise<string | null | undefined>} AskReason */

/** How many of the leads lost last to take reasons from. */
const READ = 50;
/** How many reasons to offer. */
const OFFERED = 8;

const dialog = find('#lost', HTMLDialogElement);
const field = find('#lost-reason', HTMLInputElement);
const form = find('form', HTMLFormElement, dialog);

/**
 * Returns a function that asks why a lead was lost. It resolves with the reason, null without one, and undefined if the lead is
 * not to be lost after all.
 * @param {Api} api
 * @returns {AskReason}
 */
export function createLostReason(api) {
  /** @type {((reason: string | null | undefined) => void) | undefined} */
  let answer;

  /** @param {string | null | undefined} reason */
  function finish(reason) {
    const told = answer;
    answer = undefined;
    dialog.close();
    told?.(reason);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    finish(field.value.trim() || null);
  });
  find('.cancel', HTMLButtonElement, dialog).addEventListener('click', () => finish(undefined));
  find('.skip', HTMLButtonElement, dialog).addEventListener('click', () => finish(null));
  dialog.addEventListener('close', () => finish(undefined));

  return function ask(lead) {
    field.value = lead.lost_reason ?? '';
    find('h2', HTMLElement, dialog).replaceChildren('Why was ', isolate(lead.name), ' lost?');
    offerReasons(api, finish);
    dialog.showModal();
    field.focus();
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
}

/** Offers the reasons of the leads lost last, the most frequent first. @param {Api} api @param {(reason: string) => void} choose */
async function offerReasons(api, choose) {
  const list = find('.reasons', HTMLElement, dialog);
  /** @type {LeadPage} */
  const { data } = await api
    .get(`/leads?status=lost&sort=-status_changed_at&per_page=${READ}`)
    .catch(() => ({ data: [] }));
  const reasons = Map.groupBy(
    data.flatMap(({ lost_reason: reason }) => reason ?? []),
    (reason) => reason,
  );
  const frequent = [...reasons].sort(([, one], [, other]) => other.length - one.length).slice(0, OFFERED);
  list.replaceChildren(
    ...frequent.map(([reason]) =>
      element(
        'li',
        {},
        element('button', { type: 'button', onclick: () => choose(reason) }, isolate(reason)),
      ),
    ),
  );
}
