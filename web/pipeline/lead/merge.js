/** @import { Api, Lead, LeadPage } from '../api.js' */
import { describe } from '../api.js';
import { element, isolate } from '../dom.js';

/** How many leads to offer. */
const OFFERED = 8;
/** Milliseconds after the last key. */
const PAUSE = 250;

const title = element('h2', { id: 'merge-title' });
const label = element('label', { htmlFor: 'merge-search' }, 'The other lead');
const field = element('input', { id: 'merge-search', type: 'search', maxLength: 200, autocomplete: 'off' });
const list = element('ul', { className: 'choices' });
const said = element('p', { role: 'status' });
const cancel = element('button', { type: 'button' }, 'Cancel');
const buttons = element('p', { className: 'buttons' }, cancel);
const form = element('form', {}, title, label, field, list, said, buttons);
const dialog = element('dialog', { id: 'merge' }, form);
dialog.setAttribute('aria-labelledby', title.id);
cancel.addEventListener('click', () => dialog.close());
document.body.append(dialog);

/**
 * Returns a function that lets somebody choose another lead, which becomes a part of this one.
 * @param {Api} api
 * @param {(merged: Lead, survivor: Lead) => unknown} onMerged
 */
export function createMerge(api, onMerged) {
  /** @type {Lead | undefined} */
  let lead;
  let timer = 0;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(offer, PAUSE);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    offer();
  });

  async function offer() {
    const search = field.value.trim();
    const into = lead;
    list.replaceChildren();
    said.textContent = '';
    if (search === '' || into === undefined) return;
    try {
      const parameters = new URLSearchParams({ search, per_page: String(OFFERED + 1) });
      /** @type {LeadPage} */
      const { data } = await api.get(`/leads?${parameters}`);
      if (field.value.trim() !== search) return;
      const others = data.filter(({ id }) => id !== into.id).slice(0, OFFERED);
      said.textContent = others.length === 0 ? 'No other lead is found.' : '';
      list.replaceChildren(...others.map((other) => element('li', {}, choice(other, into))));
    } catch (error) {
      said.textContent = describe(error);
    }
  }

  /** @param {Lead} other @param {Lead} into */
  function choice(other, into) {
    return element(
      'button',
      { type: 'button', onclick: () => confirm(other, into) },
      isolate(other.name),
      ', ',
      isolate(other.email),
    );
  }

  /** @param {Lead} other @param {Lead} into */
  function confirm(other, into) {
    const merge = element('button', { type: 'button', className: 'primary' }, 'Merge');
    merge.addEventListener('click', async () => {
      merge.disabled = true;
      try {
        const body = { lead_id: other.id };
        const { data } = await api.write('POST', `/leads/${into.id}/merge`, { body, version: into.version });
        dialog.close();
        onMerged(other, data);
      } catch (error) {
        merge.disabled = false;
        said.textContent = describe(error);
      }
    });
    said.replaceChildren(
      isolate(other.name),
      ' becomes a part of ',
      isolate(into.name),
      ', with its notes and history. This can’t be undone. ',
      merge,
    );
    list.replaceChildren();
    merge.focus();
  }

  /** @param {Lead} opened */
  return function open(opened) {
    lead = opened;
    field.value = '';
    list.replaceChildren();
    said.textContent = '';
    title.replaceChildren('Merge another lead into ', isolate(opened.name));
    dialog.showModal();
    field.focus();
  };
}
