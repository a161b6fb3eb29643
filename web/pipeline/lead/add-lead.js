/** @import { Api } from '../api.js' */
/** @import { Undo } from '../undo.js' */
import { element, find, isolate } from '../dom.js';
import { actingUser, may } from '../session.js';
import { createForm } from './form.js';
import { createKey } from './key.js';

const dialog = find('#add', HTMLDialogElement);
const button = find('#add-lead', HTMLButtonElement);

/**
 * The form for a new lead. What is typed stays when the dialog is closed with Escape.
 * @param {Api} api
 * @param {object} page
 * @param {Undo} page.undo
 * @param {() => unknown} page.onChange
 */
export function createAddLead(api, { undo, onChange }) {
  if (!may('leads:write')) return;
  /** @type {HTMLElement | undefined} */
  let part;
  // The same lead sent again, as after a lost answer, is added only once.
  let key = createKey();

  function discard() {
    part?.remove();
    part = undefined;
    dialog.close();
  }

  function open() {
    if (part === undefined) {
      const initial = { assigned_user_id: actingUser()?.id ?? null };
      ({ part } = createForm(api, initial, { action: 'Add lead', onSubmit: add, onCancel: discard }));
      part.addEventListener('input', () => {
        key = createKey();
      });
      dialog.append(part);
    }
    dialog.showModal();
    find('input', HTMLInputElement, part).focus();
  }

  /** @param {Pick<ReturnType<typeof createForm>, 'values'>} form */
  async function add({ values }) {
    const { data } = await api.write('POST', '/leads', { body: values(), key });
    key = createKey();
    discard();
    const link = element('a', { href: `#${data.id}` }, 'Open');
    undo.tell(isolate(data.name), ' is added. ', link);
    onChange();
  }

  button.hidden = false;
  button.addEventListener('click', open);
  // The link to an existing lead opens its panel.
  addEventListener('hashchange', () => dialog.close());
  document.addEventListener('keydown', (event) => {
    if (event.code !== 'KeyN' || !event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    open();
  });
}
