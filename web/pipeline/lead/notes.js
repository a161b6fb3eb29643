/** @import { Api, Note } from '../api.js' */
/** @import { Names } from './names.js' */
import { describe } from '../api.js';
import { element, find, isolate } from '../dom.js';
import { formatInstant } from '../format.js';
import { createPanel } from '../panel.js';
import { may } from '../session.js';
import { createKey } from './key.js';
import { createSection } from './section.js';

/** How many notes to show. The pinned ones come first. */
const SHOWN = 100;

/**
 * The notes about a lead.
 * @param {Api} api
 * @param {string} id
 * @param {object} panel
 * @param {Names} panel.names
 * @param {(message: string) => void} panel.say
 */
export function createNotes(api, id, { names, say }) {
  const list = element('ul', { className: 'notes' });
  const part = createSection('Notes', ...(may('leads:write') ? [createForm()] : []), list);

  const { refresh } = createPanel(part, async (signal) => {
    /** @type {{ data: Note[], meta: { total: number } }} */
    const { data, meta } = await api.get(`/notes?lead_id=${id}&per_page=${SHOWN}`, signal);
    // What somebody is typing stays.
    if (list.querySelector('form') !== null) return;
    const ordered = [...data.filter(({ pinned }) => pinned), ...data.filter(({ pinned }) => !pinned)];
    const rest =
      meta.total > data.length ? [element('li', {}, `${meta.total - data.length} older notes.`)] : [];
    const none = meta.total === 0 ? [element('li', { className: 'hint' }, 'No notes yet.')] : [];
    list.replaceChildren(...ordered.map(toElement), ...rest, ...none);
  });

  function createForm() {
    const field = element('textarea', {
      id: 'new-note',
      rows: 2,
      required: true,
      placeholder: 'What was said or agreed',
    });
    const label = element('label', { className: 'unseen', htmlFor: field.id }, 'New note');
    const form = element('form', {}, label, field, element('button', { type: 'submit' }, 'Add note'));
    // The same note sent again, as after a lost answer, is added only once.
    let key = createKey();
    field.addEventListener('input', () => {
      key = createKey();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      attempt(async () => {
        await api.write('POST', '/notes', { body: { lead_id: id, text: field.value }, key });
        field.value = '';
        say('Note added.');
      });
    });
    return form;
  }

  /** @param {() => Promise<void>} task */
  async function attempt(task) {
    try {
      await task();
      list.replaceChildren();
      await refresh();
    } catch (error) {
      say(describe(error));
      refresh();
    }
  }

  /** @param {Note} note */
  function toElement(note) {
    const { id, text, pinned, author, author_name: writer, created_at: time, version } = note;
    const writtenBy = writer === null ? names.show(author.user_id) : isolate(writer);
    const item = element(
      'li',
      { className: pinned ? 'pinned' : '' },
      element('p', { className: 'text' }, isolate(text)),
      element(
        'p',
        { className: 'hint' },
        ...(pinned ? ['Pinned · '] : []),
        element('time', { dateTime: time }, formatInstant(time)),
        ' ',
        writtenBy,
      ),
    );
    if (!may('leads:write')) return item;

    /** @param {object} body */
    const change = (body) => attempt(() => api.write('PATCH', `/notes/${id}`, { body, version }));
    const remove = () =>
      attempt(async () => {
        await api.write('DELETE', `/notes/${id}`, { version });
        say('Note deleted.');
      });
    item.append(
      element(
        'p',
        { className: 'actions' },
        action(pinned ? 'Unpin' : 'Pin', () => change({ pinned: !pinned })),
        action('Edit', () => edit(item, text, (changed) => change({ text: changed }))),
        confirmed('Delete', 'Really delete?', remove),
      ),
    );
    return item;
  }

  /** Whether nothing is typed that would be lost. */
  function isSaved() {
    const isTyped = part.querySelector('textarea')?.value.trim() || list.querySelector('form') !== null;
    if (isTyped) say('Your note is not saved. Save it, or empty its field, first.');
    return !isTyped;
  }

  return { part, refresh, isSaved };
}

/** @param {string} name @param {() => void} onclick */
const action = (name, onclick) => element('button', { type: 'button', className: 'quiet', onclick }, name);

/** A button that asks once more. @param {string} name @param {string} question @param {() => void} run */
function confirmed(name, question, run) {
  const button = action(name, () => {
    if (button.textContent === question) run();
    else button.textContent = question;
  });
  button.addEventListener('blur', () => {
    button.textContent = name;
  });
  return button;
}

/** @param {HTMLElement} item @param {string} text @param {(text: string) => void} save */
function edit(item, text, save) {
  const before = [...item.childNodes];
  const field = element('textarea', { rows: 4, required: true, value: text, ariaLabel: 'Note' });
  const cancel = () => {
    item.replaceChildren(...before);
    find('.actions button:nth-child(2)', HTMLButtonElement, item).focus();
  };
  const form = element(
    'form',
    {},
    field,
    element('button', { type: 'submit' }, 'Save note'),
    action('Cancel', cancel),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save(field.value);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel();
  });
  item.replaceChildren(form);
  field.focus();
}
